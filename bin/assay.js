#!/usr/bin/env node
// Plain JavaScript, so that an old Node prints which version is needed instead of a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  const local = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  const isCheckout = existsSync(new URL('../src/main.ts', import.meta.url));
  let hint = `Install Node ${NEEDED} or newer.`;
  if (existsSync(local)) hint = `This checkout has one: ${local} ${process.argv[1]}`;
  else if (isCheckout) hint = 'Install it, or run "npm run demo" in this checkout, which downloads it.';
  process.stderr.write(`assay: needs Node ${NEEDED} or newer, but this is Node ${process.versions.node}. ${hint}\n`);
  process.exit(2);
}
module.enableCompileCache();
// A checkout runs from its sources; the published package contains only the bundle.
const source = new URL('../src/main.ts', import.meta.url);
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href);
await main(process.argv.slice(2));

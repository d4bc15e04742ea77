#!/usr/bin/env node
// Plain JavaScript, so that an old Node prints which version is needed instead of a syntax error.
import module from 'node:module';

// An import of these modules would load more than what is used here.
const require = module.createRequire(import.meta.url);
const { existsSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');
const NEEDED = 24;
const checkout = fileURLToPath(new URL('../scripts/checkout.cjs', import.meta.url));
const isCheckout = existsSync(checkout);
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  const local = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  let hint = `Install Node ${NEEDED} or newer.`;
  if (existsSync(local)) hint = `This checkout has one: ${local} ${process.argv[1]}`;
  else if (isCheckout) hint = 'Install it, or run "npm run demo" in this checkout, which downloads it.';
  fail(`assay: needs Node ${NEEDED} or newer, but this is Node ${process.versions.node}. ${hint}`);
}
module.enableCompileCache();
const { main } = await import(isCheckout ? await bundleOfCheckout() : new URL('../dist/main.js', import.meta.url).href);
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const [what] = error.message.split(' imported from ');
  fail(`assay: ${what}. Install Assay with its dependencies again: "npm install assay-mcp", or "npm ci" in a clone.`);
}

async function bundleOfCheckout() {
  const { findOrBuild } = require(checkout);
  try {
    return pathToFileURL(`${await findOrBuild()}/dist/main.js`).href;
  } catch (error) {
    return fail(`assay: ${error.message}.`);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

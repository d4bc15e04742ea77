/** `npm run pictures`: runs the demo and writes `docs/images/report.png`, a screenshot of its QA report. */
import { spawn } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../src/platform/browser/browser-launch.ts';
import { readSettings, settings } from '../src/platform/settings.ts';
import { root, say } from './steps.ts';

/** The README is read on slow connections too. */
const MAX_BYTES = 150_000;
/** High enough for the summary and the head of the first failure. */
const VIEWPORT = { width: 1040, height: 1000 };

const picture = join(root, 'docs/images/report.png');
const report = await runDemo();
try {
  await takePicture(report, picture);
} finally {
  await rm(dirname(report), { recursive: true, force: true });
}
const { size } = await stat(picture);
say(`docs/images/report.png: ${size} bytes`);
if (size > MAX_BYTES) throw new Error(`the picture has more than ${MAX_BYTES} bytes: lower the viewport`);

/** Runs the demo and returns the path of the QA report, which the demo prints as the end of a line. */
async function runDemo(): Promise<string> {
  const child = spawn(process.execPath, ['bin/assay.js', 'demo'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk);
    output += String(chunk);
  }
  const path = /\S+[\\/]report\.html$/m.exec(output)?.[0];
  if (path === undefined) throw new Error('the demo printed no path of a report');
  return path;
}

async function takePicture(page: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const home = readSettings([settings.home], [], process.env).get(settings.home);
  const browser = await launchBrowser({ home });
  try {
    const tab = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light' });
    await tab.goto(pathToFileURL(page).href);
    await tab.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}

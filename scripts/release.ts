/**
 * Prepares a release in the working tree: the section of CHANGELOG.md from the commits since the last tag, the version in
 * package.json and package-lock.json, and the generated files.
 *
 *   npm run release                      choose the version by the commits
 *   npm run release -- 1.2.3             use this version
 *   npm run release -- --dry-run         show the version and its section, write nothing
 *   npm run release -- --notes v1.2.3    print the section of a version that is tagged (for the release workflow)
 */
import { parseArgs } from 'node:util';
import { checkedNotes, prepareRelease } from './release/prepare.ts';
import { root, runStep, say } from './steps.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, notes: { type: 'string' } },
});

try {
  if (values.notes !== undefined) process.stdout.write(await checkedNotes(root, values.notes));
  else process.exitCode = await prepare(positionals[0], values['dry-run']);
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function prepare(version: string | undefined, dryRun: boolean): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  const prepared = await prepareRelease(root, { version, date: today, dryRun });
  say(`${prepared.version}\n\n${prepared.section}`);
  if (dryRun) return 0;
  const code = await runStep(['node', 'scripts/docs.ts']);
  say(`Review the change, commit it as "chore(release): v${prepared.version}", merge it, then tag that commit:`);
  say(`  git tag v${prepared.version} && git push origin v${prepared.version}`);
  return code;
}

import { type BaseFiles, openBaseFiles } from '../git/base-files.ts';
import type { NoChangeSet } from '../git/branch-point.ts';
import { checkPolicy, defaultPolicy, type Policy, policyFile } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { checkWaiver, type Waiver, waiverFolder } from '../spec/waivers.ts';
import { checkWorkingSpec, defaultSpecFile, type WorkingSpec } from '../spec/working-spec.ts';

/** The rules that were in force before a change. */
export interface BaseRules {
  files: BaseFiles;
  /** The spec in the file that is evaluated, else the one in the default file. */
  spec: WorkingSpec | undefined;
  /** The defaults where the base has no valid policy. */
  policy: Policy;
  hasPolicy: boolean;
  /** Valid waivers by their file. */
  waivers: ReadonlyMap<string, Waiver>;
}

/** Reads the rules at the base. Its policy may name another base, which then counts. */
export async function readBaseRules(
  { root, repository }: GovernedProject,
  specFile: string,
  ownBase: string | undefined,
): Promise<BaseRules | NoChangeSet> {
  if (!repository) return { reason: 'not a git repository' };
  let files = await openBaseFiles(repository, root);
  // Without a main branch only the policy of the change can name the base.
  if ('reason' in files && ownBase !== undefined) files = await openBaseFiles(repository, root, ownBase);
  if ('reason' in files) return files;
  let policyText = await files.read(policyFile);
  const named = policyText === undefined ? undefined : checkPolicy(policyText).policy.base;
  if (named !== undefined) {
    const other = await openBaseFiles(repository, root, named);
    if ('reason' in other) return other;
    files = other;
    policyText = await other.read(policyFile);
  }
  const [own, usual, waivers] = await Promise.all([
    files.read(specFile),
    specFile === defaultSpecFile ? undefined : files.read(defaultSpecFile),
    readBaseWaivers(files),
  ]);
  const specText = own ?? usual;
  return {
    files,
    spec: specText === undefined ? undefined : checkWorkingSpec(specText, specFile).spec,
    policy: policyText === undefined ? defaultPolicy : checkPolicy(policyText).policy,
    hasPolicy: policyText !== undefined,
    waivers,
  };
}

async function readBaseWaivers(files: BaseFiles): Promise<Map<string, Waiver>> {
  const names = (await files.list(waiverFolder)).filter((name) => /^WV-\d{4,}\.ya?ml$/.test(name));
  const read = await Promise.all(
    names.map(async (name) => {
      const file = `${waiverFolder}/${name}`;
      const checked = checkWaiver((await files.read(file)) ?? '', file);
      return 'problems' in checked ? [] : [[file, checked] as const];
    }),
  );
  return new Map(read.flat());
}

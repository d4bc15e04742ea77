import { open } from 'node:fs/promises';
import { Failure } from '../../platform/errors.ts';
import { checkChain } from '../provenance/check-chain.ts';
import { resolveInside, withoutBlocking } from '../spec/project-file.ts';

const chainFile = '.caws/provenance/chain.jsonl';
const headFile = '.caws/provenance/head.json';
const MAX_BYTES = 64 * 1024 * 1024;

export interface ChainEvidence {
  entries: number;
  lastRecorded: string | undefined;
  /** Messages; empty if the chain is intact. */
  problems: string[];
}

/** Checks the provenance chain by itself; undefined if there is none. Only `caws_provenance` compares it with git. */
export async function readChainEvidence(root: string): Promise<ChainEvidence | undefined> {
  const chain = await readChainPart(root, chainFile);
  if (!chain) return undefined;
  const { entries, problems } = checkChain(chain, await readChainPart(root, headFile));
  return {
    entries: entries.length,
    lastRecorded: entries.at(-1)?.recorded_at,
    problems: problems.map(({ line, message }) => (line === undefined ? message : `line ${line} ${message}`)),
  };
}

async function readChainPart(root: string, path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(await resolveInside(root, path, 'the chain'), withoutBlocking);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES)
      throw new Failure('bad_input', 'EINVAL', `${path} is too large or not a file; restore it from git`);
    return await file.readFile();
  } catch (error) {
    if (error instanceof Failure && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

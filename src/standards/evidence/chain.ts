import { open } from 'node:fs/promises';
import { Failure } from '../../platform/errors.ts';
import { checkChain } from '../provenance/check-chain.ts';
import { placeInside } from '../spec/project-file.ts';

const chainFile = '.caws/provenance/chain.jsonl';
const headFile = '.caws/provenance/head.json';
const LARGEST = 64 * 1024 * 1024;

export interface ChainEvidence {
  entries: number;
  lastRecorded: string | undefined;
  /** In words; empty where the chain holds together. */
  faults: string[];
}

/** Whether the chain of provenance holds together by itself; undefined where there is none. Git is asked by `caws_provenance`. */
export async function chainEvidence(root: string): Promise<ChainEvidence | undefined> {
  const chain = await bytesOf(root, chainFile);
  if (!chain) return undefined;
  const { entries, faults } = checkChain(chain, await bytesOf(root, headFile));
  return {
    entries: entries.length,
    lastRecorded: entries.at(-1)?.recorded_at,
    faults: faults.map(({ line, message }) => (line === undefined ? message : `line ${line} ${message}`)),
  };
}

async function bytesOf(root: string, path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(await placeInside(root, path, 'the chain'), 'r');
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > LARGEST)
      throw new Failure('bad_input', 'EINVAL', `${path} is too large, or no file`);
    return await file.readFile();
  } catch (error) {
    if (error instanceof Failure && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

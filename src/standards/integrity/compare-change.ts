import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { NoChangeSet } from '../git/branch-point.ts';
import type { ChangeSet } from '../git/change-set.ts';
import type { Governance } from '../spec/governance.ts';
import type { GovernedProject } from '../spec/project.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { SourceParser } from '../testcode/grammars.ts';
import { readApprovals, readChangeAuthors } from './approvals.ts';
import type { BaseRules } from './base-rules.ts';
import { type ChangedSource, readChangedSources } from './changed-sources.ts';
import { findConfigurationWeakenings } from './configuration-weakenings.ts';
import { applyBaseRules, type EffectiveRules } from './effective-rules.ts';
import {
  findHiddenChanges,
  findPragmaWeakenings,
  findSnapshotWeakenings,
  findSupportWeakenings,
} from './line-weakenings.ts';
import { findTestWeakenings } from './test-weakenings.ts';
import type { Weakening } from './weakening.ts';

/** A change beside its base. */
export interface ComparedChange extends EffectiveRules {
  /** Undefined if the base is known, else why it is not. */
  reason: string | undefined;
  sources: readonly ChangedSource[];
}

interface ComparisonContext {
  base: BaseRules | NoChangeSet;
  changes: ChangeSet | NoChangeSet;
  hidden: readonly string[];
  parser: SourceParser;
  nowMs: number;
  signal: AbortSignal;
}

/** Compares rules, tests and test settings of a change with its base, and applies the approvals that count. */
export async function compareChange(
  { root, repository }: GovernedProject,
  governance: Governance,
  spec: WorkingSpec,
  { base, changes, hidden, parser, nowMs, signal }: ComparisonContext,
): Promise<ComparedChange> {
  const changed = 'files' in changes ? changes.files : [];
  const paths = changed.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  if ('reason' in base || !repository) {
    const rules = applyBaseRules(base, governance, spec, paths, { approve: (found) => [...found], nowMs });
    return { ...rules, reason: 'reason' in base ? base.reason : 'not a git repository', sources: [] };
  }
  const approvals = await readApprovals(
    root,
    base.policy.approvers,
    await readChangeAuthors(repository, base.files.commit),
  );
  const approve = (found: readonly Weakening[]) => found.map((one) => ({ ...one, approvedBy: approvals.get(one.id) }));
  const rules = applyBaseRules(base, governance, spec, paths, { approve, nowMs });
  if ('reason' in changes) return { ...rules, reason: changes.reason, sources: [] };
  const { sources, unread } = await readChangedSources({ root, repository }, changes, parser, signal);
  const found = [
    ...findTestWeakenings(sources),
    ...findPragmaWeakenings(sources),
    ...findSnapshotWeakenings(changed),
    ...findSupportWeakenings(changed),
    ...(await findConfigurationWeakenings(root, changed, base.files, parser)),
    ...findHiddenChanges(hidden.filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile())),
  ];
  const reason = unread.length > 0 ? `${unread.length} changed files are too many to compare` : undefined;
  return { ...rules, weakenings: [...rules.weakenings, ...approve(found)], reason, sources };
}

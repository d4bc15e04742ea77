import { digestJson } from '../provenance/canonical-json.ts';

/** What a change makes laxer. */
export const weakeningKinds = [
  'gate_relaxed',
  'threshold_lowered',
  'budget_raised',
  'rule_relaxed',
  'tier_lowered',
  'mode_changed',
  'criterion_removed',
  'criterion_changed',
  'requirement_removed',
  'contract_removed',
  'scope_widened',
  'spec_replaced',
  'rules_introduced',
  'waiver_added',
  'waiver_extended',
  'test_deleted',
  'test_skipped',
  'test_focused',
  'test_emptied',
  'test_tautological',
  'test_without_assertion',
  'assertions_removed',
  'test_unreadable',
  'test_support_changed',
  'snapshot_rewritten',
  'pragma_added',
  'test_command_changed',
  'configuration_relaxed',
  'pipeline_changed',
  'change_hidden',
] as const;
type WeakeningKind = (typeof weakeningKinds)[number];

export interface Weakening {
  /** Digest of all that it changes: an approval names it, so it does not cover a later change. */
  id: string;
  kind: WeakeningKind;
  /** `weakening` needs an approval; `note` is listed for reviewers. */
  severity: 'weakening' | 'note';
  file: string;
  line: number | undefined;
  /** One sentence without a full stop. */
  what: string;
  /** Who approved it. */
  approvedBy: string | undefined;
}

interface WeakeningDraft {
  kind: WeakeningKind;
  file: string;
  what: string;
  severity?: Weakening['severity'];
  line?: number | undefined;
  /** What it applies to and how it was and is; part of the id. */
  facts?: Record<string, string | number | boolean | null>;
}

export function createWeakening({
  kind,
  file,
  what,
  severity = 'weakening',
  line,
  facts = {},
}: WeakeningDraft): Weakening {
  const id = digestJson('weakening', { kind, file, what, facts }).replace('sha256:', '').slice(0, 32);
  return { id, kind, severity, file, line, what, approvedBy: undefined };
}

/** The weakenings that need an approval and have none. */
export function listUnapproved(weakenings: readonly Weakening[]): Weakening[] {
  return weakenings.filter(({ severity, approvedBy }) => severity === 'weakening' && approvedBy === undefined);
}

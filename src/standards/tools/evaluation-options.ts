import type { ToolContext } from '../../tool/tool.ts';
import { createEvidenceKeys } from '../attestation/evidence-keys.ts';
import type { EvaluationOptions } from '../evaluation/evaluate.ts';
import { SourceParser } from '../testcode/grammars.ts';

/** What an evaluation in a server needs: grammars stay loaded between calls. */
export function evaluationOptions({
  signal,
  shared,
  home,
  setting,
}: Pick<ToolContext, 'signal' | 'shared' | 'home' | 'setting'>): EvaluationOptions {
  const parser = shared('standards.parser', () => new SourceParser());
  return { nowMs: Date.now(), signal, parser, keys: createEvidenceKeys(home, setting) };
}

import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import type { ToolContext } from '../../../tool/tool.ts';
import type { QaContext } from '../../qa-context.ts';
import { artifactUri } from '../../runs/run-artifacts.ts';
import { describeUniqueToken } from '../../runs/unique-token-text.ts';

export const replayStepShape = z.object({
  position: z.number(),
  action: z.string(),
  description: untrusted(z.string()),
  status: z.string(),
  healed: z.boolean().describe('True if a fallback locator found the element'),
  error: untrusted(z.string(), { max: 2_000 }).optional(),
  durationMs: z.number(),
  screenshotUrl: z.string().optional(),
});

/** The steps of the last attempt of a replay. */
export async function listReplaySteps(
  { store }: QaContext,
  runId: string,
): Promise<z.output<typeof replayStepShape>[]> {
  const rows = await store.stepResults.list({ runId });
  const last = Math.max(0, ...rows.map(({ attempt }) => attempt));
  return rows
    .filter(({ attempt }) => attempt === last)
    .map(({ position, action, description, status, healed, error, durationMs, artifactId }) => ({
      ...{ position, action, status, durationMs },
      description: describeUniqueToken(description),
      healed: healed === 1,
      ...(error !== null && { error: describeUniqueToken(error) }),
      ...(artifactId !== null && { screenshotUrl: artifactUri({ id: artifactId }) }),
    }));
}

/** Attaches a link to the screenshot of the failed step. */
export function attachFailureScreenshot(
  { attachLink }: Pick<ToolContext, 'attachLink'>,
  steps: readonly z.output<typeof replayStepShape>[],
): void {
  const failed = steps.find(({ status }) => status === 'failed');
  if (!failed?.screenshotUrl) return;
  attachLink({
    uri: failed.screenshotUrl,
    name: `Step ${failed.position + 1}: ${failed.description}`,
    mimeType: 'image/jpeg',
  });
}

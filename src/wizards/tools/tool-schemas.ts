import * as z from 'zod';

export const wizardIdSchema = z
  .string()
  .min(1)
  .max(200)
  .describe('Wizard id, e.g. fsa-estimator, from federalrunner_list_wizards');

/** The keys of every response. */
export const responseEnvelope = {
  status: z.literal('success'),
  timestamp: z.string().describe('Time of the reply, ISO 8601 in UTC'),
};

export function successResponse<Data extends object>(data: Data) {
  return { status: 'success' as const, ...data, timestamp: new Date().toISOString() };
}

import * as z from 'zod';

/** What a part of a bulk replay replays, beside the run that it is a part of. */
export const bulkPartPayload = z.object({ itemIds: z.array(z.string()) });
export type BulkPartPayload = z.output<typeof bulkPartPayload>;

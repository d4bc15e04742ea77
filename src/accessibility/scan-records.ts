import * as z from 'zod';
import { localIssuer } from '../platform/principal.ts';

/** Payload of a scan job in the store. `scanProgress` is its progress and `scanResult` its result. */
export const accessibilityScanPayload = z.object({
  scanId: z.string(),
  /** Owner of the workspace. Jobs of earlier versions have no owner and belong to the local user. */
  owner: z.object({ issuer: z.string(), subject: z.string() }).default({ issuer: localIssuer, subject: '' }),
  auditName: z.string(),
  warnings: z.array(z.string()),
  /** Private addresses that may be visited; null allows all. */
  inside: z.array(z.string()).nullable(),
});
export const scanProgress = z.object({
  tail: z.array(z.string()),
  /** Exit code of the engine after a failure. */
  exitCode: z.number().optional(),
});
export const scanResult = z.object({ resultsDir: z.string(), exitCode: z.number() });

export const SCAN_JOB = 'accessibility.scan';

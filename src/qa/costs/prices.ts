import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import type { SettingValues } from '../../platform/settings.ts';
import { qaSettings } from '../settings.ts';

/** Prices per unit. All are 0 until the operator sets them. */
const priceList = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
  browserSecond: z.number().min(0).default(0),
  page: z.number().min(0).default(0),
  step: z.number().min(0).default(0),
  screenshot: z.number().min(0).default(0),
  megabyte: z.number().min(0).default(0),
});
export type PriceList = z.output<typeof priceList>;

export interface UsageTotals {
  browserSeconds: number;
  pages: number;
  steps: number;
  screenshots: number;
  bytes: number;
}

export function priceOf(used: UsageTotals, prices: PriceList): number {
  const sum =
    used.browserSeconds * prices.browserSecond +
    used.pages * prices.page +
    used.steps * prices.step +
    used.screenshots * prices.screenshot +
    (used.bytes / 1_000_000) * prices.megabyte;
  return Math.round(sum * 1e6) / 1e6;
}

/** Prices of the operator, from ASSAY_PRICES. */
export function configuredPrices(setting: SettingValues['get']): PriceList {
  return parsePrices(setting(qaSettings.prices));
}

function parsePrices(text: string): PriceList {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalidPrices('it is not JSON');
  }
  const parsed = priceList.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidPrices(`${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

function invalidPrices(why: string): Failure {
  return new Failure('configuration', 'BAD_SETTING', `ASSAY_PRICES cannot be used: ${why}. Correct or unset it.`);
}

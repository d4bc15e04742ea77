import * as z from 'zod';
import type { KeptPicture } from '../platform/files/kept-picture.ts';
import { type SettingValues, settings } from '../platform/settings.ts';

/** A key of a result that stands for a picture: what `attachPicture` of the context returns. */
export const pictureSchema = z.string().describe('URI of a JPEG resource; base64 with ASSAY_SCREENSHOTS=inline');

/** The URI, or base64 where the operator wants results to the letter of the specification. */
export function pictureReference({ uri, data }: KeptPicture, setting: SettingValues['get']): string {
  return setting(settings.screenshots) === 'inline' ? Buffer.from(data).toString('base64') : uri;
}

import { settings } from '../../platform/settings.ts';

/** Settings that apply only over HTTP. */
export const httpSettings = [
  settings.host,
  settings.port,
  settings.auth,
  settings.token,
  settings.publicUrl,
  settings.oauthIssuer,
  settings.oauthAudience,
  settings.allowedHosts,
  settings.allowedOrigins,
  settings.folders,
  settings.allowAddresses,
  settings.maxCalls,
  settings.rateLimits,
  settings.sharedLimits,
  settings.metricsToken,
];

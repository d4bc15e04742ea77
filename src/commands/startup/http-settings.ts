import { settings } from '../../platform/settings.ts';

/** What concerns only those who come over HTTP. */
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

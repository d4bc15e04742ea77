import type { Setting } from '../platform/settings.ts';

export const standardsSettings = {
  signingKey: {
    env: 'ASSAY_SIGNING_KEY',
    placeholder: 'file',
    help: 'A PEM file with the Ed25519 private key that signs provenance.',
    fallback: 'none: provenance is hashed, and not signed',
    parse: (raw): string | undefined => raw || undefined,
  },
  verifyKey: {
    env: 'ASSAY_VERIFY_KEY',
    placeholder: 'file',
    help: 'A PEM file with the Ed25519 public key that provenance must be signed with.',
    fallback: 'the one of the signing key',
    parse: (raw): string | undefined => raw || undefined,
  },
} satisfies Record<string, Setting<unknown>>;

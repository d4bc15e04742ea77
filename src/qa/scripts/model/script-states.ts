/** A draft is not proven yet, an active script has passed, a failed script could not be written. */
export const scriptStates = ['draft', 'active', 'failed'] as const;
export type ScriptState = (typeof scriptStates)[number];

export type ScriptSource = 'generated' | 'authored';

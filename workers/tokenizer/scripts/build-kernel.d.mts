/** Digest of everything that the artefacts are made of. */
export function sourceStamp(): string;
/** The stamp of the artefacts that are there; undefined if there are none. */
export function builtStamp(): string | undefined;

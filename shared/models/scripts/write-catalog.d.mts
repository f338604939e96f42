/** The text of the generated catalog. */
export function catalogText(): string;

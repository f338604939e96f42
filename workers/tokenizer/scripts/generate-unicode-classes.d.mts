export function matchedCodePoints(pattern: string): number[];
export function generateClassRuns(): string;
export function generatedSource(runs: string): string;

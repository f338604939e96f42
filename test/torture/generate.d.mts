export function expandCase(testCase: unknown, variant?: string): Record<string, unknown>;

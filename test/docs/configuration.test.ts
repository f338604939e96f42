import { settingsSchema } from '@preflight/runtime';
import { expect, it } from 'vitest';

interface Setting {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description: string;
  readonly secret?: boolean;
}

function row([name, setting]: [string, Setting]): string {
  const { minimum, maximum } = setting;
  const values =
    setting.enum?.join(', ') ??
    (setting.type === 'integer'
      ? `${minimum} – ${maximum}`
      : setting.secret
        ? 'text, masked in the log'
        : 'text');
  return `| \`${name}\` | ${setting.default === '' ? '(empty)' : `\`${setting.default}\``} | ${values} | ${setting.description} |`;
}

it('docs/configuration.md is what the settings say (update with npm run docs)', async () => {
  const page = [
    '# Configuration',
    '',
    'Written from `shared/runtime/src/settings.ts` by `npm run docs`; a test compares the two.',
    '',
    'Settings are environment variables. Faults are reported all at once, and the process ends with exit code 78; an',
    'unknown name that starts with `PREFLIGHT_` is a fault too. Effective values are logged once at start.',
    '',
    '| name | default | values | meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(settingsSchema.properties).map((entry) => row(entry as unknown as [string, Setting])),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/configuration.md');
});

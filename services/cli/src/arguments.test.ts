import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.js';
import { USAGE, UsageError } from './usage.js';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

test.each(['', 'help', '--help', '-h', 'fit --help', 'serve -h'])('"%s" asks for help', (line) => {
  expect(read(line)).toEqual({ name: 'help' });
});

test.each(['version', '--version', '-v'])('"%s" asks for the version', (line) => {
  expect(read(line)).toEqual({ name: 'version' });
});

describe('fit and count', () => {
  test('take a file and lay options over it', () => {
    expect(read('fit a.json --model gpt-4o --context-window 8192 --budget=-5 --strategy drop_turns')).toEqual(
      {
        name: 'fit',
        file: 'a.json',
        isJson: false,
        input: {
          isRequest: false,
          overrides: { model: 'gpt-4o', context_window: 8192, budget_tokens: -5, strategy: 'drop_turns' },
        },
      },
    );
    expect(read('count - --request --json --encoding gpt2 --count content --accounting provider')).toEqual({
      name: 'count',
      file: '-',
      isJson: true,
      input: {
        isRequest: true,
        overrides: { encoding: 'gpt2', count: 'content', accounting: 'provider' },
      },
    });
  });

  test('several strategies are a list, with commas', () => {
    expect(read('fit a --strategy drop_turns,truncate')).toMatchObject({
      input: { overrides: { strategy: ['drop_turns', 'truncate'] } },
    });
  });

  test('of all options in the usage can be read', () => {
    const values = { ' JSON': ' {}' } as Readonly<Record<string, string>>;
    const sections = USAGE.split(/^Options of /m).slice(1);
    expect(sections).toHaveLength(6);
    for (const section of sections) {
      const command = /^\w+/.exec(section)?.[0] as string;
      const options = [...section.matchAll(/^ {2}--([a-z-]+)( N| NAMES?| TEXT| JSON| [a-z|]+)? /gm)];
      expect(options.length).toBeGreaterThan(0);
      const file = command === 'models' ? '' : ' a';
      for (const [, option, value = ''] of options)
        expect(read(`${command}${file} --json --${option}${value && (values[value] ?? ' 1')}`).name).toBe(
          command,
        );
    }
  });

  test('models takes a name, or what chooses some', () => {
    expect(read('models')).toEqual({ name: 'models', model: undefined, query: {}, isJson: false });
    expect(read('models azure/gpt-4o --json')).toMatchObject({ model: 'azure/gpt-4o', isJson: true });
    expect(read('models --min-window 1000 --search mini --exact')).toMatchObject({
      query: { min_context_window: '1000', q: 'mini', exact_encoding: 'true' },
    });
    for (const line of ['models a b', 'models a --provider b', 'models --encoding gpt2'])
      expect(() => read(line)).toThrow(UsageError);
  });

  test('calibrations are told, added to or reset', () => {
    const base = { name: 'calibrations', isJson: false };
    for (const line of ['calibrations', 'calibrations list'])
      expect(read(line)).toEqual({ ...base, action: 'list' });
    expect(read('calibrations add - --json')).toEqual({ ...base, action: 'add', file: '-', isJson: true });
    expect(read('calibrations reset m')).toEqual({ ...base, action: 'reset', model: 'm' });
    expect(read('calibrations reset --all')).toEqual({ ...base, action: 'reset', model: undefined });
    for (const line of ['list a', 'add', 'add a b', 'reset', 'reset m --all', 'add a --all', 'forget'])
      expect(() => read(`calibrations ${line}`)).toThrow(UsageError);
  });

  test('check takes what tells how to read a file, and may repair it', () => {
    expect(read('check a --format langroid --model m --request --repair --json --conversation')).toEqual({
      name: 'check',
      file: 'a',
      isJson: true,
      input: {
        isRequest: true,
        overrides: { format: 'langroid', model: 'm', return: 'conversation', repair: true },
      },
    });
    for (const option of ['--count content', '--encoding gpt2', '--context-window 1'])
      expect(() => read(`check a ${option}`)).toThrow(UsageError);
    expect(() => read('fit a --repair')).toThrow(UsageError);
  });

  test('can ask for the conversation', () => {
    expect(read('fit a --json --conversation')).toMatchObject({
      input: { overrides: { return: 'conversation' } },
    });
  });
});

test.each(['serve', 'api', 'coordinator'])('%s takes port and host', (name) => {
  expect(read(name)).toEqual({ name, options: {} });
  expect(read(`${name} --port 0 --host ::1`)).toEqual({ name, options: { port: 0, host: '::1' } });
});

test.each([
  'frobnicate',
  'fit',
  'fit a b',
  'fit a --no-such',
  'fit a --model',
  'fit a --context-window wide',
  'fit a --context-window 1.5',
  'fit a --conversation',
  'count a --strategy truncate',
  'serve a',
  'serve --port 65536',
  'serve --port=-1',
  'serve --host=',
  'api a',
  'coordinator --concurrency 3',
])('"%s" is no command', (line) => {
  expect(() => read(line)).toThrow(UsageError);
});

/** The names of a table. */
export const namesOf = <Name extends string>(choices: Readonly<Record<Name, unknown>>) =>
  Object.keys(choices) as Name[];

/** Each choice with what it is: "`name` description; `name` …". */
export const explained = (choices: Readonly<Record<string, { readonly description: string }>>) =>
  Object.entries(choices)
    .map(([name, { description }]) => `\`${name}\` ${description}`)
    .join('; ');

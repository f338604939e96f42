// Takes prices of the models in facts/ out of a copy of the npm package @pydantic/genai-prices (MIT), and writes
// facts/genai-prices.json. Only facts are taken: numbers, and to which names they belong.
//
//   npm pack @pydantic/genai-prices && tar xzf pydantic-genai-prices-*.tgz
//   node shared/models/scripts/extract-prices.mjs package 2026-09-23 2026-12-01    (published on, prices in force on)
//   node shared/models/scripts/write-catalog.mjs

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FACTS, PRICES_FILE, readFacts } from './facts.mjs';

/** What the package calls the providers who sell their own models; prices of weights depend on their host. */
const SELLERS = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  deepseek: 'deepseek',
  mistral: 'mistral',
  moonshotai: 'moonshotai',
  xai: 'x-ai',
};

/** Models that are billed for something else than tokens of text alone. */
const OTHERWISE_BILLED = ['gpt-audio'];

const [packageFolder, publishedOn, asOf] = process.argv.slice(2);
const isDay = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
if (packageFolder === undefined || !isDay(publishedOn) || !isDay(asOf))
  throw new Error('usage: extract-prices.mjs FOLDER_OF_THE_PACKAGE PUBLISHED_ON IN_FORCE_ON');

const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
const sellers = await dataOf(packageFolder);
const prices = {};
for (const { provider, models } of readFacts()) {
  const seller = sellers.find(({ id }) => id === SELLERS[provider]);
  for (const id of models.filter(({ hosted }) => !hosted).flatMap(({ ids }) => ids)) {
    const sold = OTHERWISE_BILLED.includes(id)
      ? undefined
      : seller?.models.find((model) => isSoldAs(model, id));
    const price = sold && priceOf(sold.prices);
    if (price !== undefined) prices[id] = price;
  }
}
const facts = {
  source: `npm @pydantic/genai-prices ${version}`,
  licence: 'MIT, Copyright (c) Pydantic Services Inc. 2025 to present',
  date: publishedOn,
  in_force_on: asOf,
  prices,
};
writeFileSync(join(FACTS, PRICES_FILE), `${JSON.stringify(facts, null, 2)}\n`);

/** The package keeps its table to itself: its module is loaded with an export more. */
async function dataOf(folder) {
  const source = readFileSync(join(folder, 'dist/index.js'), 'utf8');
  const name = /^const (\w+) = \[\n {2}\{\n {4}id: "/m.exec(source)?.[1];
  if (name === undefined) throw new Error('the package does not begin with its table any more');
  const module = `${source}\nexport { ${name} as table };`;
  return (await import(`data:text/javascript,${encodeURIComponent(module)}#${pathToFileURL(folder)}`)).table;
}

/** Previews and aliases are sold under names of their own. */
function isSoldAs({ match }, id) {
  return [id, `${id}-preview`, `${id}-latest`].some((name) => matches(match, name));
}

function matches(clause, name) {
  if (clause.or) return clause.or.some((part) => matches(part, name));
  if (clause.and) return clause.and.every((part) => matches(part, name));
  if (clause.equals !== undefined) return name === clause.equals;
  if (clause.starts_with !== undefined) return isSnapshotOf(clause.starts_with, name);
  if (clause.ends_with !== undefined) return name.endsWith(clause.ends_with);
  if (clause.contains !== undefined) return name.includes(clause.contains);
  if (clause.regex !== undefined) return new RegExp(clause.regex).test(name);
  throw new Error(`the package matches names in a new way: ${Object.keys(clause)}`);
}

/** A longer name is not taken for a shorter one: the next version of a model often begins with the name of the last. */
function isSnapshotOf(start, name) {
  return name.startsWith(start) && /^(?:-(?:latest|preview|\d{8}))?$/.test(name.slice(start.length));
}

/** The price in force on the day; where it changes with the hour, the dearest. */
function priceOf(prices) {
  const all = Array.isArray(prices) ? prices : [{ prices }];
  const begun = all.filter(
    ({ constraint }) => constraint?.type !== 'start_date' || constraint.start_date <= asOf,
  );
  const daily = begun.filter(({ constraint }) => constraint?.start_time !== undefined);
  const standing = begun.filter(({ constraint }) => constraint?.start_time === undefined).at(-1);
  const [dearest] = [standing, ...daily]
    .filter((entry) => entry !== undefined)
    .sort((a, b) => baseOf(b.prices.input_mtok) - baseOf(a.prices.input_mtok));
  return dearest && perMillion(dearest.prices);
}

function perMillion({ input_mtok, cache_read_mtok, output_mtok }) {
  if (input_mtok === undefined || output_mtok === undefined) return undefined;
  const above = [input_mtok, cache_read_mtok, output_mtok].map((price) => price?.tiers?.[0]);
  const [tier] = above;
  return {
    input: baseOf(input_mtok),
    cached_input: baseOf(cache_read_mtok) ?? null,
    output: baseOf(output_mtok),
    ...(tier && {
      long_input: {
        above_tokens: tier.start,
        input: tier.price,
        cached_input: above[1]?.price ?? null,
        output: above[2]?.price ?? baseOf(output_mtok),
      },
    }),
  };
}

function baseOf(price) {
  return price?.base ?? price;
}

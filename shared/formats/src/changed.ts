import { isObject, type Json } from '@preflight/core';

// JSON with something else in some places, as new values: the given ones are never changed, and what does not change is
// shared. What is not there, or is of another kind, stays as it is.

/** Of JSON, or of JSON in which texts may be those of files. */
interface ObjectOf<Value> {
  [key: string]: Value;
}

/** An object with another value in one field. */
export function changedField<Value>(
  object: ObjectOf<Value>,
  field: string,
  change: (value: Value) => Value,
): ObjectOf<Value> {
  const given = object[field];
  if (given === undefined) return object;
  const changed = change(given);
  return changed === given ? object : { ...object, [field]: changed };
}

/** A list with other items. */
export function changedItems(list: Json, change: (item: Json) => Json): Json {
  if (!Array.isArray(list)) return list;
  const changed = list.map(change);
  return changed.some((item, i) => item !== list[i]) ? changed : list;
}

/** An object with another value at the end of a path of names; `holder` is the object around that. */
export function changedAt<Value>(
  object: ObjectOf<Value>,
  [name, ...rest]: readonly [string, ...string[]],
  change: (value: Value, holder: ObjectOf<Value>) => Value,
): ObjectOf<Value> {
  const [next, ...others] = rest;
  return changedField(object, name, (value) => {
    if (next === undefined) return change(value, object);
    if (!isObject(value)) return value;
    return changedAt(value as ObjectOf<Value>, [next, ...others], change) as Value;
  });
}

/**
 * ProtoJSON, for every message of the program: importing this module makes `toJSON`, `fromJSON` and
 * their like work. Generated code does unless it was made with `json=false`, and `loadSchema` brings
 * ProtoJSON along; a bundle with none of them is without it.
 *
 * @module
 */
import { provideJson } from './loaded-json.js';
import { json } from './protojson.js';

export { load } from './protojson.js';

provideJson(json);

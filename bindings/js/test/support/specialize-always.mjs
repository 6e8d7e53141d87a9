// To import before what decodes: types are specialised from their first message on, and whatever input
// is given up, the next is tried.
import { tuning } from '../../../../dist/codec/specialize.js';

tuning.warmUp = -(2 ** 50);

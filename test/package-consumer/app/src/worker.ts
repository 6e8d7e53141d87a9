import { results } from './results.js';

void results().then((found) => postMessage(found));

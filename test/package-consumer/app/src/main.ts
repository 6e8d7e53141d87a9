import { results } from './results.js';

void results().then((found) => console.log(JSON.stringify(found)));

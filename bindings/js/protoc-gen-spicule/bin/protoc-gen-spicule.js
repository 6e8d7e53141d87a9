#!/usr/bin/env node
import { runNodeJs } from '@bufbuild/protoplugin';

import { plugin } from '../dist/plugin.js';

runNodeJs(plugin);

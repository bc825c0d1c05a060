#!/usr/bin/env node
// The executable: makes sure of a Node that is recent enough, then hands over to oclif.
import { continueOnLocalNode, isNodeRecentEnough } from "./node-version.js";

if (isNodeRecentEnough()) await import("./oclif.js");
else continueOnLocalNode();

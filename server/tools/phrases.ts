import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run } from './run';

/**
 * `npm run check` (phrases): rejects wording that reads like a translation, in code, comments and documents. The
 * table pairs each phrase with the usual form. A phrase may span two lines of a comment.
 */

/** A phrase (case-insensitive regular expression; spaces match line breaks) and what to write instead. */
export const PHRASES: readonly (readonly [phrase: string, advice: string])[] = [
  ['(?:is|are|was|were|be|been|being) told', 'is notified, is sent, receives'],
  ['(?:is|are|was|were|be|been|being) asked for', 'is requested, is required'],
  ['(?:is|are|was|were|be|been|being) gone to', 'is opened'],
  ['(?:is|are|was|were|be|been|being) begun', 'starts, has started'],
  ['somebody(?: else)?', 'a member, the owner, another user'],
  ['whoever', 'the member who, anyone who'],
  ['whom', 'reword with a noun: the recipient, the sender'],
  ['(?:a|the|that|this|each|every|one|which|same|another) person', 'a user, a member, an administrator'],
  ['people', 'users, members'],
  ['anew', 'again'],
  ['once more', 'again'],
  ['by (?:itself|themselves)', 'automatically, alone'],
  ['as large as', 'up to'],
  ['at once', 'immediately, at a time'],
  ['(?:go|goes|going|went|gone) on(?!-)', 'continue, in progress'],
  ['(?:need|needs|needed) a person', 'needs attention'],
  ['things? that differs?', 'drift, differences'],
  ['if it stays so', 'at current usage'],
  ['spend now', 'current spend'],
  ['(?:it )?runs already', 'already running'],
  ['made a mistake', 'internal error'],
  ['find these among them', 'this query took too long'],
  ['decide about the change', 'resolve the conflicting change'],
  ['emptied exactly once', 'processed exactly once'],
  ['(?:who|members?) has none', 'members without one'],
  ['what differs', 'drift'],
  ['(?:the )?dear(?:er|est)?', 'expensive, most expensive first'],
];

const SCANNED =
  /\.(?:cjs|css|html|js|json|jsonc|md|mjs|service|sol|tpl|ts|tsx|txt|yaml|yml)$|\/(?:Caddyfile|Dockerfile)$|^\.ci\/run$/;
// Released migrations never change; recordings quote hosts; this list and its test contain every phrase on purpose;
// character.ts names a field of the elizaOS format.
const SKIPPED =
  /^generated\/|(?:^|\/)(?:node_modules|fixtures|recordings)\/|(?:^|\/)package-lock\.json$|^server\/db\/migrations\/|^server\/tools\/phrases(?:\.test)?\.ts$|^console\/lib\/agent\/character\.ts$|\.gen\.ts$/;

/** Between words: spaces, or a line break with the marker that continues a comment. */
const GAP = String.raw`\s+(?:(?:\/\/|\*|#|>)\s+)?`;
const PATTERNS = PHRASES.map(([phrase, advice]) => ({
  // Next to letters, digits, or path and identifier characters it is part of a name, not a phrase.
  pattern: new RegExp(String.raw`(?<![\w/.$-])(?:${phrase.replaceAll(' ', GAP)})(?![\w$/]|[.-]\w|\()`, 'gi'),
  advice,
}));

export interface Finding {
  line: number;
  phrase: string;
  advice: string;
}

/** Returns every rejected phrase in a text, in order. */
export function findPhrases(text: string): Finding[] {
  const found = PATTERNS.flatMap(({ pattern, advice }) =>
    [...text.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      index,
      phrase,
      advice,
    })),
  );
  // Of two overlapping phrases, only the first is reported.
  let end = 0;
  return found
    .sort((a, b) => a.index - b.index)
    .filter(({ index, phrase }) => {
      if (index < end) return false;
      end = index + phrase.length;
      return true;
    })
    .map(({ index, phrase, advice }) => ({
      line: text.slice(0, index).split('\n').length,
      phrase: phrase.replace(new RegExp(GAP, 'g'), ' '),
      advice,
    }));
}

export const isScanned = (file: string) => SCANNED.test(file) && !SKIPPED.test(file);

async function main(): Promise<void> {
  const listed = await run('git', ['ls-files', '-z']);
  for (const file of listed.output.split('\0').filter(isScanned))
    for (const { line, phrase, advice } of findPhrases(readFileSync(path.join(ROOT, file), 'utf8'))) {
      console.log(`${file}:${line} “${phrase}”: write ${advice}`);
      process.exitCode = 1;
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

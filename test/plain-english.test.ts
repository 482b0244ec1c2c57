import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesUnder, root } from './support/source-files.ts';

/** Phrases that no English-speaking engineer would write in that place, and what is said instead. */
const ODD: [phrase: RegExp, instead: string][] = [
  [/\bwhoever\b/i, 'a noun: "every caller", "anyone who", "the process that"'],
  [/\b(?:is|are) no text\b|\bno text in\b/i, '"is not text", "is not UTF-8 text"'],
  [
    /\b(?<!there )(?:is|are) no (?:number|date|list|object|integer|directory|country|currency|JSON|CSV|zip|PDF)\b/i,
    '"is not a"',
  ],
  [/\bis none of (?!these)|\b(?:that|which) is none\b/i, '"is not one of", "that is not one"'],
  [/\bdate is none\b/i, '"is missing"'],
  [/\b(?:lies?|lying) ahead\b/i, '"is in the future"'],
  [/\bstands? (?:in (?:it|them) )?twice\b/i, '"appears twice"'],
  [/\bnot to be had\b|(?<!weights |model )\bcannot be had\b/i, '"is not available", "cannot be fetched"'],
  [/\bin (?:the place|its clothes) of\b|\bin its clothes\b/i, '"instead of"'],
  [
    /(?<!(?:=|is|not|or|set|<>) )\b(?:null|empty|absent|throws|undefined|nothing|false|true)(?: also)? where\b/i,
    '"if"',
  ],
  [/\b(?:also|only) where\b/i, '"also if", "only if"'],
  [
    // "there is no", and comparisons: "is no longer", "is no more than"
    /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b|better\b|worse\b|higher\b|lower\b|later\b|earlier\b)[a-z]/i,
    '"is not a"',
  ],
  [
    /\bof so long\b|\bleave it alone\b|\bhas not its\b|\bto be put right\b|\bbeside on demand\b|\bnot read on\b/i,
    '"of this length", "ignore it", "does not match its", "needs correcting", "compared with", "reading stops"',
  ],
  [/\bno way to guess\b|\bbehind himself\b|\bto be his\b|\bhis own\b/i, '"does not help to guess", "its", "theirs"'],
];

/** Of the programs that measure and of what plans their links, with their tests: the field has a word for each of these. */
const ODD_IN_MEASURING: typeof ODD = [
  [/\b(?:fell|falls?|fallen) silent\b/i, '"stopped responding", "was lost"'],
  [/\btold apart\b|\btells? (?:them|two|the two) apart\b/i, '"distinguished"'],
  [/\bnobody (?:says|knows|asks)\b/i, '"unknown", "not requested"'],
  [/\b(?:and|or|is|are) nothing (?:says|tells|knows)\b|\btells? nothing\b/i, '"unknown"'],
  [/\bof before [a-z]/i, '"older than"'],
  [/\bmends?\b/i, '"fixes"'],
  [/\bpro(?:ves?|ven|ved) (?:itself|themselves)\b/i, '"is verified", "authenticates"'],
  [/\bin place of\b|\bfor want of\b/i, '"instead of", "because ... is missing"'],
  [/\bpass(?:es)? for (?:a|an|the|right)\b/i, '"look like", "be mistaken for"'],
  [/\bway (?:there|back)\b/i, '"forward", "reverse"'],
  [/\bin vain\b|\bat hand\b/i, '"without success", "available"'],
  [/\bhears? of\b|\bheard of\b|\bknows? of\b/i, '"is notified of", "has seen"'],
  [/\btold of\b|\btells? of\b|\btell of\b/i, '"reports"'],
  [/\bgoes? past\b|\bthat which\b|\bof which there (?:is|are)\b/i, 'a plain sentence'],
  [/\b(?:has|had|have) not (?:the|enough|that|it|them|any)\b/i, '"does not have"'],
  [/\bhost['’]s pace\b|\bpace of the host\b/i, '"the host’s speed"'],
  [/\b(?:is|are) passed over\b(?! std)/i, '"is skipped"'],
  [/\b(?:is|are) (?:the |its |our )?[\w’']* ?business\b|\bfurther ado\b/i, '"is handled by", "at once"'],
  [
    /\bheld against\b|\bis begun\b|\bso many (?:bytes|ways|rows|blocks|seconds|of)\b/i,
    '"compared with", "starts", the name',
  ],
  [/\bcomes? about\b|\bcame about\b/i, '"is established"'],
];
const MEASURING =
  /^(?:agent|native\/src|coordinator\/network|test\/(?:agent|native|soak|e2e\/network|support\/(?:simulated-driver|netns-lab)))\//;

const ENDINGS = ['.ts', '.js', '.md', '.sh', '.cpp', '.h', 'Makefile'];
const FOLDERS = ['agent', 'coordinator', 'containers', 'native/src', 'test'];
/** The list above; publishers' own words; what is on the wire, which changes with a version of the interface only. */
const SPARED = /^test\/(?:plain-english\.test\.ts|golden\/|coordinator\/[^:]*\/fixtures\/)/;
const ON_THE_WIRE = /\b(?:description|summary): |^\s*'.*',?$/;

test('messages, comments and test titles are in plain English: none of the phrases that stood here once', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'Makefile',
    ...FOLDERS.flatMap((folder) => ENDINGS.flatMap((ending) => filesUnder(folder, ending))),
  ].filter((file) => !SPARED.test(file));
  assert.ok(files.length > 1500, 'the walk found the files');
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.split('\n');
    const isWire = (line: string): boolean => file.startsWith('coordinator/contract/') && ON_THE_WIRE.test(line);
    const odd = [...ODD, ...(MEASURING.test(file) ? ODD_IN_MEASURING : [])];
    return odd.flatMap(([phrase, instead]) =>
      [...joined(text).matchAll(new RegExp(phrase, 'gi'))]
        .map(({ index }) => text.slice(0, index).split('\n').length)
        .filter((line) => !isWire(lines[line - 1] ?? ''))
        .map((line) => `${file}:${line}: ${lines[line - 1]?.trim().slice(0, 120)} -> ${instead}`),
    );
  });
  assert.deepEqual(found, []);
});

/** A phrase may begin on one line and end on the next: line ends and the marks of comments are blanks, each as long as it was. */
function joined(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, (mark) => ' '.repeat(mark.length));
}

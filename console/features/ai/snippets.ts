import type { ChatSettings } from '../../lib/ai/chatSettings';
import { verifyingSnippet } from '../../lib/ai/verifyingSnippet';

interface Call {
  base_url: string;
  model: string;
  /** Whether it is the gateway inside this server. */
  is_built_in: boolean;
  settings: ChatSettings;
}

/** Names of the settings in the Vercel AI SDK. */
const AI_SDK: Readonly<Record<keyof ChatSettings, string>> = {
  max_tokens: 'maxOutputTokens',
  temperature: 'temperature',
  top_p: 'topP',
  stop: 'stopSequences',
  seed: 'seed',
};

/** A value as JSON with spaces, which Python and JavaScript read the same. */
const literal = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value);

/** Snippets for calling a gateway; they read the key from the environment. */
export function snippets({ base_url, model, is_built_in, settings }: Call) {
  const set = Object.entries(settings) as [keyof ChatSettings, unknown][];
  const lines = (line: (name: keyof ChatSettings, value: string) => string) =>
    set.map(([name, value]) => line(name, literal(value))).join('');
  const body = `{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]${lines((name, value) => `, "${name}": ${value}`)}}`;
  const prompt =
    set.length === 0
      ? `{ model: teehouse('${model}'), prompt: 'Hello' }`
      : `{\n  model: teehouse('${model}'),\n  prompt: 'Hello',\n${lines((name, value) => `  ${AI_SDK[name]}: ${value},\n`)}}`;
  return [
    {
      title: 'curl',
      code: `curl ${base_url}/chat/completions \\
  -H "Authorization: Bearer $TEEHOUSE_AI_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", `'\\''`)}'`,
    },
    {
      title: 'Python, openai',
      code: `import os
from openai import OpenAI

client = OpenAI(base_url="${base_url}", api_key=os.environ["TEEHOUSE_AI_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
${lines((name, value) => `    ${name}=${value},\n`)})
print(answer.choices[0].message.content)`,
    },
    {
      title: 'TypeScript, openai',
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${base_url}',
  apiKey: process.env.TEEHOUSE_AI_KEY,
});
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
${lines((name, value) => `  ${name}: ${value},\n`)}});
console.log(answer.choices[0].message.content);`,
    },
    {
      title: 'TypeScript, Vercel AI SDK',
      code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

const teehouse = createOpenAICompatible({
  name: 'teehouse',
  baseURL: '${base_url}',
  apiKey: process.env.TEEHOUSE_AI_KEY,
});
const { text } = await generateText(${prompt});
console.log(text);`,
    },
    {
      title: 'JavaScript, with verification',
      code: verifyingSnippet({ base_url, model, is_built_in, settings }),
    },
  ];
}

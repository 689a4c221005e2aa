import { verifyingSnippet } from '../../lib/ai/verifyingSnippet';

/**
 * Snippets for calling a gateway; they read the key from the environment.
 * @param is_built_in whether it is the gateway inside this server
 */
export const snippets = (base_url: string, model: string, is_built_in: boolean) => [
  {
    title: 'curl',
    code: `curl ${base_url}/chat/completions \\
  -H "Authorization: Bearer $TEEHOUSE_AI_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
  },
  {
    title: 'Python, openai',
    code: `import os
from openai import OpenAI

client = OpenAI(base_url="${base_url}", api_key=os.environ["TEEHOUSE_AI_KEY"])
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
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
});
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
const { text } = await generateText({ model: teehouse('${model}'), prompt: 'Hello' });
console.log(text);`,
  },
  {
    title: 'JavaScript, with verification',
    code: verifyingSnippet({ base_url, model, is_built_in }),
  },
];

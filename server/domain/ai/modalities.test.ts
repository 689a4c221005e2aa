import { describe, expect, it } from 'vitest';
import { outputsOf, type InputModality } from '../../../console/lib/ai/modalities';
import { AiError } from './aiError';
import { estimatedInput } from './inputEstimate';
import { mediaParts, modalityText, requireReadable } from './modalities';
import { parseModelRequest } from './modelRequest';
import { tokenBounds } from './worstCase';

const chat = (...content: object[]) =>
  parseModelRequest(
    'chat.completions',
    Buffer.from(
      JSON.stringify({
        model: 'acme/large',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'What is this?' }, ...content] },
        ],
      }),
    ),
  );
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

describe('the content of a request', () => {
  it('besides text has a place and a kind', () => {
    expect(
      mediaParts(
        chat(
          image,
          { type: 'input_audio', input_audio: {} },
          { type: 'file', file: {} },
          { type: 'video_url' },
          { type: 'own' },
        ),
      ),
    ).toEqual([
      { modality: 'image', param: 'messages[1].content[1]' },
      { modality: 'audio', param: 'messages[1].content[2]' },
      { modality: 'file', param: 'messages[1].content[3]' },
      { modality: 'video', param: 'messages[1].content[4]' },
      { modality: null, param: 'messages[1].content[5]' },
    ]);
    expect(mediaParts(chat({ type: 'refusal', refusal: 'No.' }))).toEqual([]);
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'a' }, { type: 'input_image' }] },
      { type: 'function_call_output', output: [{ type: 'input_file' }] },
    ];
    const responses = parseModelRequest('responses', Buffer.from(JSON.stringify({ model: 'a', input })));
    expect(mediaParts(responses)).toEqual([
      { modality: 'image', param: 'input[0].content[1]' },
      { modality: 'file', param: 'input[1].output[0]' },
    ]);
    // A name that every object has.
    expect(mediaParts(chat({ type: 'constructor' }))).toMatchObject([{ modality: null }]);
  });

  const refusal = (input_modalities: InputModality[], ...content: object[]): unknown => {
    try {
      requireReadable(mediaParts(chat(...content)), { id: 'acme/large', input_modalities });
      return null;
    } catch (error) {
      return error;
    }
  };

  it('is refused if the model is known not to read it', () => {
    const refused = refusal(['text', 'audio', 'file'], image);
    expect(refused).toBeInstanceOf(AiError);
    expect(refused).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'unsupported_modality',
      param: 'messages[1].content[1]',
      message: 'The model “acme/large” doesn’t read images. It reads text, audio and files.',
    });
    expect(refusal(['text'])).toBeNull();
    expect(refusal(['text', 'image'], image)).toBeNull();
  });

  it('is left to the model server if the model’s input or the content’s type is unknown', () => {
    expect(refusal([], image)).toBeNull();
    expect(refusal(['text'], { type: 'own' })).toBeNull();
  });
});

it('counts an image by its kind, never by its bytes', () => {
  const large = {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${'A'.repeat(5 * 1024 * 1024)}` },
  };
  const request = chat(large);
  const text = estimatedInput(chat());
  expect(text).toBeLessThan(10);
  expect(estimatedInput(request)).toBe(text + 1000);
  expect(estimatedInput(chat(large, large))).toBe(text + 2000);
  // It may take any number of tokens, so that the context is the only bound.
  expect(tokenBounds(request, 5 * 1024 * 1024, 8192).input).toBe(8192);
});

describe('what a model writes', () => {
  it('is what is set, or what its endpoints return', () => {
    const of = (endpoints: Parameters<typeof outputsOf>[0]['endpoints']) =>
      outputsOf({ endpoints, output_modalities: [] });
    expect(of(['chat.completions'])).toEqual(['text']);
    expect(of(['embeddings'])).toEqual(['embeddings']);
    expect(of(['embeddings', 'completions'])).toEqual(['text', 'embeddings']);
    expect(outputsOf({ endpoints: ['chat.completions'], output_modalities: ['text', 'audio'] })).toEqual([
      'text',
      'audio',
    ]);
  });

  it('follows what it reads as catalogs write it', () => {
    expect(modalityText(['text', 'image'], ['text'])).toBe('text+image->text');
  });
});

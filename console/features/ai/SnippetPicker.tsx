import styled from '@emotion/styled';
import { useState } from 'react';
import type { ChatSettings } from '../../lib/ai/chatSettings';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';
import { snippets } from './snippets';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ width: 260, maxWidth: '100%' });

interface Props {
  base_url: string;
  model: string;
  /** Whether it is the gateway inside this server. */
  is_built_in: boolean;
  settings?: ChatSettings;
}

/** How a program calls the gateway, in the language of the user's choice. */
export function SnippetPicker({ base_url, model, is_built_in, settings = {} }: Props) {
  const [chosen, setChosen] = useState(0);
  const all = snippets({ base_url, model, is_built_in, settings });
  const snippet = all[chosen];
  return (
    <Stack>
      <Picker>
        <SelectInput
          label="Example for"
          value={String(chosen)}
          choices={all.map(({ title }, index) => ({ value: String(index), label: title }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      </Picker>
      {snippet && <CodeBlock code={snippet.code} title={snippet.title} />}
    </Stack>
  );
}

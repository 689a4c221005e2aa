import styled from '@emotion/styled';
import { useState } from 'react';
import type { AiGateway } from '../../../generated/api/types.gen';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { Notice } from '../../ui/feedback/Notice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { snippets } from './snippets';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ width: 260, maxWidth: '100%' });

/** Where the gateway runs, its address and how programs use it. */
export function ConnectPanel({ gateway }: { gateway: AiGateway }) {
  const all = snippets(gateway.base_url, gateway.models[0]?.id ?? '');
  const [chosen, setChosen] = useState(0);
  const snippet = all[chosen];
  return (
    <Panel title="Connect" subtitle="Works with OpenAI clients: change the base URL and the key.">
      <Stack>
        {!gateway.is_in_tee && (
          <Notice tone="simulated" title="This gateway doesn’t run in a TEE.">
            It is part of this server, whose operator could read prompts and answers. Use it to try the API.
          </Notice>
        )}
        <CodeBlock code={gateway.base_url} title="Base URL" />
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
    </Panel>
  );
}

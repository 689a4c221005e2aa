import styled from '@emotion/styled';
import { useState } from 'react';
import type { AiGateway, OtherAiGateway } from '../../../generated/api/types.gen';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { Notice } from '../../ui/feedback/Notice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';
import { SnippetPicker } from './SnippetPicker';
import { takesChats } from './takesChats';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ width: 260, maxWidth: '100%' });

/** A gateway's location, as far as known. */
function Whereabouts({ other }: { other: OtherAiGateway | undefined }) {
  if (!other)
    return (
      <Notice tone="simulated" title="This gateway doesn’t run in a TEE.">
        It is part of this server, whose operator could read prompts and responses. Use it to try the API.
      </Notice>
    );
  return (
    <Notice tone="neutral" title="This gateway runs outside this server.">
      To see whether it runs in a TEE, verify its{' '}
      <TextLink href={other.report_url} target="_blank">
        attestation report
      </TextLink>{' '}
      before you send a prompt. Keys, prices and usage are the same.
    </Notice>
  );
}

/** The gateways' locations and addresses, and how programs use them. */
export function ConnectPanel({ gateway }: { gateway: AiGateway }) {
  const [name, setName] = useState('');
  const other = gateway.others.find((one) => one.name === name);
  const { base_url } = other ?? gateway;
  const model = gateway.models.find(
    (one) => takesChats(one) && (other ? !one.is_built_in : one.is_served_here),
  );
  return (
    <Panel title="Connect" subtitle="Works with OpenAI clients: change the base URL and the key.">
      <Stack>
        {gateway.others.length > 0 && (
          <Picker>
            <SelectInput
              label="Gateway"
              value={other?.name ?? ''}
              choices={[
                { value: '', label: 'This server' },
                ...gateway.others.map((one) => ({ value: one.name, label: one.name })),
              ]}
              onChange={(event) => setName(event.target.value)}
            />
          </Picker>
        )}
        <Whereabouts other={other} />
        <CodeBlock code={base_url} title="Base URL" />
        <SnippetPicker base_url={base_url} model={model?.id ?? ''} is_built_in={!other} />
      </Stack>
    </Panel>
  );
}

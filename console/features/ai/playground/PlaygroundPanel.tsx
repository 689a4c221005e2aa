import styled from '@emotion/styled';
import { useState } from 'react';
import type { AiGateway } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { AI_API_OFF } from '../../../lib/ai/apiOff';
import { Conversation } from '../../../ui/chat/Conversation';
import { Turn } from '../../../ui/chat/Turn';
import { givenBack } from '../../../ui/chat/turns';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Button } from '../../../ui/controls/Button';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextArea } from '../../../ui/forms/TextInput';
import { Fold } from '../../../ui/layout/Fold';
import { Panel } from '../../../ui/layout/Panel';
import { space } from '../../../ui/theme';
import { SnippetPicker } from '../SnippetPicker';
import { takesChats } from '../takesChats';
import { AnswerFacts } from './AnswerFacts';
import { AttachImages } from './AttachImages';
import { attachingAgain, sending } from './attachments';
import { DEFAULT_SAMPLING, readSampling, samplingFaults } from './sampling';
import { SamplingFields } from './SamplingFields';
import { Thumbnail, Thumbnails } from './Thumbnails';
import { useAttachments } from './useAttachments';
import { usePlayground } from './usePlayground';

const Code = styled('div')({ marginTop: space(6) });

/** Maximum answer tokens for a model whose context size is unknown. */
const MAX_ANSWER = 1_000_000;

interface Props {
  teamSlug: string;
  gateway: AiGateway;
  preselected: string | undefined;
}

/** A conversation with a model through the gateway, using the same API as programs. */
export function PlaygroundPanel({ teamSlug, gateway, preselected }: Props) {
  const may = useMay('ai.write', teamSlug);
  const { turns, send, stop, clear } = usePlayground(teamSlug, gateway);
  // The playground calls this server's gateway.
  const models = gateway.models.filter((one) => one.is_served_here && takesChats(one));
  const [model, setModel] = useState((models.find(({ id }) => id === preselected) ?? models[0])?.id ?? '');
  const [system, setSystem] = useState('');
  const [sampling, setSampling] = useState(DEFAULT_SAMPLING);
  const [text, setText] = useState('');
  const [attached, changeAttached] = useAttachments();
  const chosen = models.find(({ id }) => id === model);
  const readsImages = chosen?.input_modalities.includes('image') === true;
  const off = gateway.is_enabled ? undefined : AI_API_OFF;
  const faults = samplingFaults(sampling, chosen?.context_length ?? MAX_ANSWER);
  const settings = readSampling(sampling);
  const submit = () => {
    if (off !== undefined || Object.keys(faults).length > 0) return;
    const images = readsImages ? attached.images : [];
    send.mutate(
      { model, system, text, images, readsImages, settings },
      {
        onError: () => {
          setText((typed) => givenBack(text, typed));
          changeAttached(attachingAgain(images));
        },
      },
    );
    setText('');
    changeAttached(sending(images));
  };
  const clearAll = () => {
    clear();
    changeAttached((before) => ({ ...before, sentBytes: 0 }));
  };
  if (!may.allowed)
    return (
      <Panel title="Playground">
        <EmptyState picture="access" title="Your role can’t create AI keys">
          {may.reason}
        </EmptyState>
      </Panel>
    );
  const problem = problemOf(send.error, 'No response');
  return (
    <Panel
      title="Playground"
      subtitle="Uses a key named Playground that expires after an hour. The conversation stays on this page."
      actions={turns.length > 0 && <Button onClick={clearAll}>Clear</Button>}
    >
      <Conversation
        turns={turns.map((turn) => (
          <Turn key={turn.id} from={turn.role === 'user' ? null : 'Model'} text={turn.content}>
            {turn.attached !== undefined && turn.attached.length > 0 && (
              <Thumbnails aria-label="Images">
                {turn.attached.map((image) => (
                  <Thumbnail key={image.id} image={image} />
                ))}
              </Thumbnails>
            )}
            <AnswerFacts turn={turn} />
          </Turn>
        ))}
        isBusy={send.isPending}
        problem={problem}
        label="Message"
        text={text}
        maxLength={30_000}
        onText={setText}
        onSend={submit}
        extras={readsImages && <AttachImages attached={attached} onChange={changeAttached} />}
        actions={
          <ActionButton
            {...(send.isPending
              ? { onClick: stop }
              : { type: 'submit', variant: 'contained', 'aria-disabled': text.trim() === '' })}
            reason={send.isPending ? undefined : off}
          >
            {send.isPending ? 'Stop' : 'Send'}
          </ActionButton>
        }
        settings={
          <>
            <SelectInput
              label="Model"
              value={model}
              choices={models.map(({ id }) => ({ value: id, label: id }))}
              onChange={(event) => setModel(event.target.value)}
            />
            <TextArea
              label="System message"
              optional
              rows={3}
              value={system}
              maxLength={30_000}
              onChange={(event) => setSystem(event.target.value)}
            />
            <SamplingFields
              values={sampling}
              faults={faults}
              onEdit={(change) => setSampling({ ...sampling, ...change })}
            />
          </>
        }
      />
      <Code>
        <Fold summary="Code with these settings">
          <SnippetPicker base_url={gateway.base_url} model={model} is_built_in settings={settings} />
        </Fold>
      </Code>
    </Panel>
  );
}

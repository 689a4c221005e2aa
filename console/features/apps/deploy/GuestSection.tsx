import styled from '@emotion/styled';
import { CodeEditor } from '../../../ui/code/CodeEditor';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { space } from '../../../ui/theme';
import type { FieldErrors } from './form';
import type { GuestForm } from './guestForm';

const Fields = styled('div')({ display: 'grid', gap: space(6), minWidth: 0 });

interface Props {
  value: GuestForm;
  onChange: (change: Partial<GuestForm>) => void;
  errors: FieldErrors;
  readOnly: boolean;
  /** Why nerdctl Compose can't be chosen; null if it can. */
  noNerdctl: string | null;
}

/** Guest settings that not every host and OS image supports. */
export function GuestSection({ value, onChange, errors, readOnly, noNerdctl }: Props) {
  const text = (field: keyof GuestForm) => ({
    value: value[field],
    error: errors[field],
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  });
  const code = (field: keyof GuestForm, error = errors[field]) => ({
    language: 'plain' as const,
    value: value[field],
    onChange: (changed: string) => onChange({ [field]: changed }),
    readOnly,
    ...(error === undefined ? {} : { error }),
  });
  return (
    <Fields>
      {value.init_scripts === '' ? (
        <CodeEditor
          label="Init script"
          {...code('init_script')}
          height={120}
          placeholder="#!/bin/bash"
          help="Runs before keys are requested and Docker starts, without secrets. Requires an OS image with dstack 0.5.5 or later."
        />
      ) : (
        <CodeEditor
          label="Init scripts"
          {...code('init_scripts', errors.init_scripts ?? errors.init_script)}
          height={120}
          help="JSON list, as in the copied app. They run before keys are requested and Docker starts, without secrets. Clear it to enter a single script. Requires an OS image with dstack 0.6 or later."
        />
      )}
      <TextInput
        label="Swap"
        {...text('swap_size')}
        autoComplete="off"
        placeholder="None"
        help="Size on the encrypted disk, such as 2G. Requires an OS image with dstack 0.5.5 or later."
      />
      <TextInput
        label="Gateway ports"
        {...text('gateway_ports')}
        autoComplete="off"
        placeholder="All"
        help="The only ports reachable through the gateway, such as 80, 443/proxy. Leave empty for all ports, including the guest agent’s 8090. Requires an OS image with dstack 0.6 or later."
      />
      <TextInput
        label="KMS root key"
        {...text('key_provider_id')}
        autoComplete="off"
        spellCheck={false}
        placeholder="Any"
        help="Public key of the KMS root CA in hex. The guest rejects keys from any other KMS."
      />
      <SelectInput
        label="Runner"
        choices={[
          { value: 'docker-compose', label: 'Docker Compose' },
          {
            value: 'nerdctl-compose',
            label: 'nerdctl Compose (dstack 0.6)',
            // Stays selectable if a template or draft chose it; its error then says why.
            disabled: noNerdctl !== null && value.runner !== 'nerdctl-compose',
          },
        ]}
        help={noNerdctl === null ? undefined : `nerdctl Compose: ${noNerdctl}`}
        {...text('runner')}
      />
      <SelectInput
        label="Event log"
        choices={[
          { value: '', label: 'Default' },
          { value: '1', label: 'Version 1' },
          { value: '2', label: 'Version 2 (dstack 0.6)' },
        ]}
        {...text('event_log_version')}
        help="How the guest computes digests of its boot events."
      />
      <CodeEditor
        label="Requirements"
        {...code('requirements')}
        height={120}
        placeholder={'{"os_version": ">=0.6.0", "platforms": ["dstack-tdx"]}'}
        help="JSON. The guest doesn’t start unless its OS, platform and GPUs meet these. Requires an OS image with dstack 0.6 or later."
      />
      <CodeEditor
        label="Verity volumes"
        {...code('verity_volumes')}
        height={120}
        placeholder={'[{"source": "models.img", "verity_root": "…", "target": "/models"}]'}
        help="JSON. Read-only volumes that the host’s operator provides. Requires an OS image with dstack 0.6 or later."
      />
    </Fields>
  );
}

import type { AvailableTeepods } from '../../../../generated/api/types.gen';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import type { AttachmentForm } from './attachmentForm';
import type { FieldErrors } from './form';
import { hostsAt } from './PlaceSection';

interface Props {
  hosts: AvailableTeepods;
  value: AttachmentForm & { place: string };
  onChange: (change: Partial<AttachmentForm>) => void;
  errors: FieldErrors;
  readOnly: boolean;
}

/** Host ports and GPUs, enabled if a host at the chosen location allows them. */
export function AttachmentSection({ hosts, value, onChange, errors, readOnly }: Props) {
  const near = hostsAt(hosts.nodes, value.place);
  const mapsPorts = near.some((host) => host.port_mapping);
  const attachesAll = near.some((host) => host.attach_all_gpus);
  return (
    <>
      <TextInput
        label="Host ports"
        value={value.host_ports}
        error={errors.host_ports}
        // Text typed for another location can still be cleared.
        disabled={readOnly || (!mapsPorts && value.host_ports === '')}
        autoComplete="off"
        placeholder="None"
        help={
          mapsPorts
            ? 'Host ports forwarded directly to the CVM, such as 8080:80, 5353:53/udp. They bypass the gateway and its TLS.'
            : 'No host here maps ports to CVMs.'
        }
        onChange={(event) => onChange({ host_ports: event.target.value })}
      />
      {(attachesAll || value.all_gpus) && (
        <SwitchInput
          label="All GPUs on the host"
          help="Includes the NVSwitches. The size must have as many GPUs as the host."
          checked={value.all_gpus}
          disabled={readOnly}
          error={errors.all_gpus}
          onChange={(event) => onChange({ all_gpus: event.target.checked })}
        />
      )}
    </>
  );
}

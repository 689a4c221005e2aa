import styled from '@emotion/styled';
import type { AvailableTeepods } from '../../../../generated/api/types.gen';
import { CodeEditor } from '../../../ui/code/CodeEditor';
import { VisibilitySection } from '../../../ui/forms/VisibilitySection';
import { secretHostOf } from '../../../lib/secrets/privacy';
import { color, space, type } from '../../../ui/theme';
import { neverDeleted, type DeletionForm } from '../deletion/deletion';
import { DeletionField } from '../deletion/DeletionField';
import { emptyAttachmentForm, type AttachmentForm } from './attachmentForm';
import { AttachmentSection } from './AttachmentSection';
import { emptyForm, type DeployForm, type FieldErrors } from './form';
import { Fold } from './Fold';
import { emptyGuestForm, whyNoNerdctl, type GuestForm } from './guestForm';
import { GuestSection } from './GuestSection';
import { hostsAt, ImageField } from './PlaceSection';

const Fields = styled('div')({ display: 'grid', gap: space(6), minWidth: 0 });
const Note = styled('p')({ ...type.body, color: color.muted, margin: 0 });

const GUEST_NAMES = Object.keys(emptyGuestForm) as (keyof GuestForm)[];
const ATTACHMENT_NAMES = Object.keys(emptyAttachmentForm) as (keyof AttachmentForm)[];
const DELETION_NAMES = Object.keys(neverDeleted) as (keyof DeletionForm)[];
const NAMES = [
  'image',
  'public_logs',
  'public_sysinfo',
  'public_tcbinfo',
  'gateway_enabled',
  'kms_enabled',
  'secure_time',
  'storage_fs',
  'pre_launch_script',
  ...GUEST_NAMES,
  ...ATTACHMENT_NAMES,
  ...DELETION_NAMES,
] satisfies (keyof DeployForm)[];

interface Props {
  hosts: AvailableTeepods;
  value: DeployForm;
  onChange: (change: Partial<DeployForm>) => void;
  errors: FieldErrors;
  readOnly: boolean;
}

/** Settings with defaults that suit most apps. */
export function AdvancedSection({ hosts, value, onChange, errors, readOnly }: Props) {
  return (
    <Fold
      label="Advanced"
      hint={`OS image, scripts, visibility (${value.public_logs ? 'public' : 'private'} logs), swap, gateway and host ports, guest requirements, scheduled deletion`}
      changed={NAMES.some((name) => value[name] !== emptyForm[name])}
      invalid={NAMES.some((name) => name in errors)}
    >
      <Fields>
        <ImageField hosts={hosts} value={value} onChange={onChange} errors={errors} />
        <VisibilitySection
          value={value}
          onChange={onChange}
          disabled={readOnly}
          host={secretHostOf(hosts.nodes, value.place)}
        />
        {!value.gateway_enabled && (
          <Note>The gateway is off, as in the copied app: no domain will reach the CVM.</Note>
        )}
        {!value.kms_enabled && <Note>The CVM gets no keys from a KMS, as in the copied app.</Note>}
        {value.secure_time && (
          <Note>The CVM waits for a secure time source at boot, as in the copied app.</Note>
        )}
        {value.storage_fs !== '' && (
          <Note>The disk’s file system is {value.storage_fs}, as in the copied app.</Note>
        )}
        {value.runner === 'nerdctl-compose' && value.snapshotter !== '' && (
          <Note>The snapshotter is {value.snapshotter}, as in the copied app.</Note>
        )}
        <CodeEditor
          label="Pre-launch script"
          language="plain"
          value={value.pre_launch_script}
          onChange={(pre_launch_script) => onChange({ pre_launch_script })}
          height={180}
          readOnly={readOnly}
          {...(errors.pre_launch_script === undefined ? {} : { error: errors.pre_launch_script })}
          placeholder="#!/bin/bash"
          help="Runs in the CVM before the containers start, with the secrets in its environment. Included in the compose hash."
        />
        <GuestSection
          value={value}
          onChange={onChange}
          errors={errors}
          readOnly={readOnly}
          noNerdctl={whyNoNerdctl(hostsAt(hosts.nodes, value.place), value.image)}
        />
        <AttachmentSection
          hosts={hosts}
          value={value}
          onChange={onChange}
          errors={errors}
          readOnly={readOnly}
        />
        <DeletionField value={value} onChange={onChange} error={errors.delete_at} />
      </Fields>
    </Fold>
  );
}

import { sql } from 'kysely';

/**
 * Whether the hash of a row of `os_images` is a reference value: an administrator entered it, verified evidence showed
 * it, or the built-in teepod reported it, which is this server. Any other host could report the hash of an OS of its
 * own, so what only hosts said must not decide which OS is genuine.
 *
 * @param image the row's alias
 */
export const isConfirmed = (image: 'i' | 'os_images') => sql<boolean>`(
  ${sql.ref(`${image}.os_image_hash`)} is not null and (
    coalesce(${sql.ref(`${image}.os_image_hash_source`)} in ('administrator', 'evidence'), false)
    or exists (select from teepod_os_images own join teepods p on p.id = own.teepod_id and p.kind = 'local'
      where own.os_image_id = ${sql.ref(`${image}.id`)})))`;

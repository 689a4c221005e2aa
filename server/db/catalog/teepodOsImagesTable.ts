/**
 * One row per OS image available on a teepod. Written when the host reports its images (migration
 * 0001_foundation).
 */
export interface TeepodOsImagesTable {
  teepod_id: number;
  os_image_id: number;
}

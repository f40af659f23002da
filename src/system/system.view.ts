/** Answer of the health operations. */
export class HealthView {
  status!: 'ok';
}

/** Which version of the service this is. */
export class VersionView {
  /** Version of the service. */
  version!: string;
  /** What the running code was built from, where the build named it; else the version. */
  build!: string;
}

// Makes the corpus of files by which the media readers are judged, and writes down what independent tools say of each:
//
//   node test/media/make-corpus.mjs        (Debian: see PACKAGES)
//
// The files are committed, with `truth.jsonl` beside them, so that tests need no tools. Images are small and sounds short, since
// readers look at headers. What cannot be read by its tool has `unreadable` in its truth, with the answer that was agreed.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES =
  'imagemagick ghostscript qpdf poppler-utils ffmpeg libimage-exiftool-perl libheif-examples libavif-bin webp libjpeg-turbo-progs flac';

const corpus = join(import.meta.dirname, 'corpus');
const scratch = mkdtempSync(join(tmpdir(), 'media-corpus-'));
const truth = {};

/** Debian's own, where another program of that name stands before it. */
const CONVERT = ['convert-im6.q16', '-limit', 'thread', '1'];

function run(command, ...args) {
  return execFileSync(command, args, {
    cwd: corpus,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  }).toString();
}
const convert = (...args) => run(CONVERT[0], ...CONVERT.slice(1), ...args);
const ffmpeg = (...args) => run('ffmpeg', '-v', 'error', '-y', '-threads', '1', ...args);
const inScratch = (name) => join(scratch, name);

function main() {
  rmSync(corpus, { recursive: true, force: true });
  mkdirSync(corpus, { recursive: true });
  try {
    makeImages();
    makePdfs();
    makeSounds();
    makeFilms();
    makeTruncated();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  for (const name of readdirSync(corpus).sort()) truth[name] ??= truthOf(name);
  const lines = Object.keys(truth)
    .sort()
    .map((file) => `${JSON.stringify({ file, ...truth[file] })}\n`);
  writeFileSync(join(import.meta.dirname, 'truth.jsonl'), lines.join(''));
  console.log(`${lines.length} files`);
}

/** Widths and heights: odd ones, flat ones, and some beyond what a byte holds. */
const SIZES = ['1x1', '7x3', '64x48', '100x257', '300x40', '511x513'];

function makeImages() {
  for (const size of SIZES) {
    const picture = inScratch(`${size}.png`);
    convert('-size', size, 'gradient:orange-navy', '-depth', '8', picture);
    convert(picture, `jpeg-baseline-${size}.jpg`);
    convert(picture, '-interlace', 'Plane', `jpeg-progressive-${size}.jpg`);
    convert(picture, '-colorspace', 'Gray', `jpeg-gray-${size}.jpg`);
    convert(picture, '-depth', '8', `png-rgb-${size}.png`);
    convert(picture, '-interlace', 'PNG', `png-interlaced-${size}.png`);
    convert(picture, '-colors', '4', `PNG8:png-palette-${size}.png`);
    convert(picture, `gif-${size}.gif`);
    convert(picture, '-interlace', 'GIF', `gif-interlaced-${size}.gif`);
    run('cwebp', '-quiet', picture, '-o', `webp-lossy-${size}.webp`);
    run('cwebp', '-quiet', '-lossless', picture, '-o', `webp-lossless-${size}.webp`);
    run('avifenc', '--speed', '10', picture, `avif-${size}.avif`);
    run('heif-enc', '-q', '20', picture, '-o', `heic-${size}.heic`);
  }
  const picture = inScratch('64x48.png');
  const other = inScratch('64x48b.png');
  convert('-size', '64x48', 'plasma:red-blue', '-depth', '8', other);
  const photo = inScratch('photo.jpg');
  convert('-size', '120x80', 'plasma:', photo);

  for (let orientation = 1; orientation <= 8; orientation++) {
    for (const [name, source] of [
      [`jpeg-orientation-${orientation}.jpg`, photo],
      [`webp-orientation-${orientation}.webp`, photo],
      [`png-orientation-${orientation}.png`, photo],
    ]) {
      convert(source, '-strip', name);
      run(
        'exiftool',
        '-q',
        '-overwrite_original',
        '-n',
        '-api',
        'PNGEarlyXMP=1',
        `-Orientation=${orientation}`,
        name,
      );
    }
    const turned = inScratch(`turned-${orientation}.jpg`);
    convert(photo, '-strip', turned);
    run('exiftool', '-q', '-overwrite_original', '-n', `-Orientation=${orientation}`, turned);
    run('heif-enc', '-q', '20', turned, '-o', `heic-from-orientation-${orientation}.heic`);
    run(
      'exiftool',
      '-q',
      '-overwrite_original',
      '-n',
      '-ExifByteOrder=MM',
      `-Orientation=${orientation}`,
      turned,
    );
    convert(turned, '-interlace', 'JPEG', `jpeg-progressive-orientation-${orientation}.jpg`);
  }
  for (let quarter = 0; quarter < 4; quarter++)
    run('avifenc', '--speed', '10', '--irot', `${quarter}`, picture, `avif-irot-${quarter}.avif`);
  for (const axis of ['0', '1'])
    run('avifenc', '--speed', '10', '--irot', '1', '--imir', axis, picture, `avif-irot-imir-${axis}.avif`);
  for (const yuv of ['444', '422', '420', '400'])
    run('avifenc', '--speed', '10', '--yuv', yuv, other, `avif-yuv${yuv}.avif`);
  for (const depth of ['8', '10', '12'])
    run('avifenc', '--speed', '10', '--depth', depth, other, `avif-depth-${depth}.avif`);
  run('avifenc', '--speed', '10', '--lossless', other, 'avif-lossless.avif');
  run('avifenc', '--speed', '10', '--depth', '8', '--fps', '5', other, other, other, 'avif-animated.avif');
  run('heif-enc', '-q', '20', '-t', '32', photo, '-o', 'heic-thumbnail.heic');
  run('heif-enc', '-q', '20', picture, other, '-o', 'heic-several.heic');

  for (const sampling of ['1x1', '2x1', '2x2', '1x2'])
    run('cjpeg', '-sample', sampling, '-outfile', `jpeg-sampling-${sampling}.jpg`, ppm(photo));
  run('cjpeg', '-arithmetic', '-outfile', 'jpeg-arithmetic.jpg', ppm(photo));
  run('cjpeg', '-restart', '1', '-outfile', 'jpeg-restart.jpg', ppm(photo));
  run('cjpeg', '-progressive', '-arithmetic', '-outfile', 'jpeg-arithmetic-progressive.jpg', ppm(photo));
  convert(photo, '-colorspace', 'CMYK', 'jpeg-cmyk.jpg');
  convert(photo, '-set', 'comment', 'x'.repeat(5000), 'jpeg-comment.jpg');
  convert(photo, 'jpeg-icc.jpg');
  run('exiftool', '-q', '-overwrite_original', `-icc_profile<=${bigProfile(100_000)}`, 'jpeg-icc.jpg');
  convert(photo, 'jpeg-thumbnail.jpg');
  convert(photo, '-thumbnail', '30x20', '-strip', inScratch('thumb.jpg'));
  run(
    'exiftool',
    '-q',
    '-overwrite_original',
    '-n',
    '-Orientation=6',
    `-ThumbnailImage<=${inScratch('thumb.jpg')}`,
    'jpeg-thumbnail.jpg',
  );
  convert(photo, 'jpeg-xmp.jpg');
  run('exiftool', '-q', '-overwrite_original', '-XMP:Title=a title', '-n', '-Orientation=5', 'jpeg-xmp.jpg');
  writeFileSync(join(corpus, 'jpeg-fill-bytes.jpg'), withFillBytes(readFileSync(photo)));
  writeFileSync(
    join(corpus, 'jpeg-trailing.jpg'),
    Buffer.concat([readFileSync(photo), Buffer.alloc(5000, 7)]),
  );

  convert(picture, '-depth', '16', 'png-rgb16.png');
  convert(picture, '-colorspace', 'Gray', '-depth', '8', 'png-gray8.png');
  convert(picture, '-colorspace', 'Gray', '-depth', '16', 'png-gray16.png');
  convert(picture, '-monochrome', 'png-bilevel.png');
  convert(picture, '-alpha', 'set', '-channel', 'A', '-evaluate', 'set', '50%', 'png-alpha.png');
  convert(picture, '-set', 'comment', 'y'.repeat(3000), 'png-text.png');
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=48x32:rate=5:duration=1',
    '-f',
    'apng',
    '-plays',
    '0',
    'png-animated.png',
  );
  ffmpeg(...SOUND, 'color=size=66000x16', '-frames:v', '1', 'png-too-wide.png');
  truth['png-too-wide.png'] = { unreadable: 'too_large', as: 'image', tool: 'agreed' };

  convert('-size', '40x30', 'xc:red', 'xc:blue', 'xc:green', '-loop', '0', 'gif-animated.gif');
  convert(
    '-size',
    '40x30',
    'xc:red',
    '(',
    '-size',
    '10x10',
    'xc:blue',
    '-repage',
    '+20+15',
    ')',
    'gif-partial-frame.gif',
  );
  convert('-size', '40x30', 'xc:red', '-transparent', 'red', 'gif-transparent.gif');
  convert(other, '-colors', '255', 'GIF87:gif-87a.gif');

  run('cwebp', '-quiet', '-alpha_q', '50', join(corpus, 'png-alpha.png'), '-o', 'webp-alpha.webp');
  run('cwebp', '-quiet', '-lossless', join(corpus, 'png-alpha.png'), '-o', 'webp-lossless-alpha.webp');
  run('img2webp', '-loop', '0', '-lossy', picture, '-d', '80', other, picture, '-o', 'webp-animated.webp');
  run('gif2webp', '-quiet', 'gif-animated.gif', '-o', 'webp-from-gif.webp');
  run('gif2webp', '-quiet', '-mixed', 'gif-partial-frame.gif', '-o', 'webp-partial-frame.webp');
  run('cwebp', '-quiet', '-metadata', 'all', 'jpeg-icc.jpg', '-o', 'webp-icc.webp');
}

function ppm(source) {
  const path = inScratch('photo.ppm');
  convert(source, path);
  return path;
}

function bigProfile(byteLength) {
  const path = inScratch('big.icc');
  const bytes = Buffer.alloc(byteLength);
  bytes.writeUInt32BE(byteLength, 0);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  bytes.write('acsp', 36, 'latin1');
  writeFileSync(path, bytes);
  return path;
}

/** Any number of 0xFF may stand before a marker. */
function withFillBytes(jpeg) {
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(9, 0xff), jpeg.subarray(2)]);
}

function makePdfs() {
  for (const pages of [1, 2, 3, 10, 37]) {
    const script = inScratch(`${pages}.ps`);
    writeFileSync(script, postscript(pages));
    for (const level of ['1.2', '1.4', '1.5', '1.7'])
      run(
        'gs',
        '-q',
        '-dNOPAUSE',
        '-dBATCH',
        '-sDEVICE=pdfwrite',
        `-dCompatibilityLevel=${level}`,
        `-sOutputFile=pdf-gs-${level}-${pages}.pdf`,
        script,
      );
    const source = `pdf-gs-1.7-${pages}.pdf`;
    run('qpdf', '--linearize', source, `pdf-linearized-${pages}.pdf`);
    run('qpdf', '--object-streams=generate', source, `pdf-object-streams-${pages}.pdf`);
    run(
      'qpdf',
      '--object-streams=generate',
      '--linearize',
      source,
      `pdf-linearized-object-streams-${pages}.pdf`,
    );
    run('qpdf', '--object-streams=disable', '--qdf', source, `pdf-plain-${pages}.pdf`);
  }
  const source = 'pdf-gs-1.7-10.pdf';
  for (const [bits, ...more] of [
    ['40', '--'],
    ['128', '--use-aes=n', '--'],
    ['128', '--use-aes=y', '--'],
    ['256', '--'],
  ]) {
    const name = `${bits}${more[0] === '--' ? '' : more[0].slice(-2)}`;
    const weak = ['--allow-weak-crypto'];
    run('qpdf', ...weak, '--encrypt', '', 'owner', bits, ...more, source, `pdf-owner-password-${name}.pdf`);
    run(
      'qpdf',
      ...weak,
      '--object-streams=generate',
      '--encrypt',
      '',
      'owner',
      bits,
      ...more,
      source,
      `pdf-owner-password-streams-${name}.pdf`,
    );
    run(
      'qpdf',
      ...weak,
      '--object-streams=generate',
      '--encrypt',
      'user',
      'owner',
      bits,
      ...more,
      source,
      `pdf-user-password-streams-${name}.pdf`,
    );
    run(
      'qpdf',
      ...weak,
      '--object-streams=disable',
      '--encrypt',
      'user',
      'owner',
      bits,
      ...more,
      source,
      `pdf-user-password-${name}.pdf`,
    );
  }
  run('qpdf', source, '--pages', source, '1-3,7', '--', 'pdf-some-pages.pdf');
  run('qpdf', source, '--pages', source, '1,1,1', '--', 'pdf-same-page.pdf');
  run('pdfunite', 'pdf-gs-1.4-3.pdf', 'pdf-gs-1.7-2.pdf', 'pdf-united.pdf');
  run('pdfseparate', '-f', '2', '-l', '2', 'pdf-gs-1.7-3.pdf', 'pdf-separated.pdf');
  writeFileSync(
    join(corpus, 'pdf-junk-before.pdf'),
    Buffer.concat([Buffer.from('\n\n%junk\n'), readFileSync(join(corpus, source))]),
  );
  // The cross-reference table is lost, and a reader has to look for objects.
  const plain = readFileSync(join(corpus, 'pdf-plain-10.pdf'), 'latin1');
  writeFileSync(join(corpus, 'pdf-no-xref.pdf'), plain.slice(0, plain.lastIndexOf('xref\n0 ')), 'latin1');
  writeFileSync(
    join(corpus, 'pdf-wrong-startxref.pdf'),
    plain.replace(/startxref\n\d+/, 'startxref\n17'),
    'latin1',
  );
  const packed = readFileSync(join(corpus, 'pdf-object-streams-10.pdf'), 'latin1');
  writeFileSync(
    join(corpus, 'pdf-wrong-startxref-streams.pdf'),
    packed.replace(/startxref\n\d+/, 'startxref\n17'),
    'latin1',
  );
  // Which no tool here repairs, but browsers do.
  truth['pdf-wrong-startxref-streams.pdf'] = { kind: 'pdf', pages: 10, tool: 'agreed' };
  // An update at the end takes the place of what stood before.
  run(
    'exiftool',
    '-q',
    '-overwrite_original',
    '-Title=new',
    writeCopy('pdf-gs-1.4-3.pdf', 'pdf-updated.pdf'),
  );
  run(
    'exiftool',
    '-q',
    '-overwrite_original',
    '-Title=new',
    writeCopy('pdf-object-streams-3.pdf', 'pdf-updated-streams.pdf'),
  );
}

function writeCopy(from, to) {
  writeFileSync(join(corpus, to), readFileSync(join(corpus, from)));
  return to;
}

function postscript(pages) {
  const page = (i) =>
    `/Helvetica findfont 18 scalefont setfont 72 700 moveto (This is page ${i} of ${pages}, with some words.) show showpage`;
  return `%!PS\n${Array.from({ length: pages }, (_, i) => page(i + 1)).join('\n')}\n`;
}

const SOUND = ['-f', 'lavfi', '-i'];
const sine = (seconds, rate = 16000) => [
  ...SOUND,
  `sine=frequency=440:sample_rate=${rate}:duration=${seconds}`,
];

function makeSounds() {
  for (const seconds of ['0.1', '0.5', '1.25']) {
    ffmpeg(...sine(seconds, 8000), '-c:a', 'pcm_u8', `wav-pcm8-${seconds}.wav`);
    ffmpeg(...sine(seconds, 8000), '-c:a', 'pcm_s16le', `wav-pcm16-${seconds}.wav`);
    ffmpeg(...sine(seconds, 8000), '-c:a', 'adpcm_ima_wav', `wav-adpcm-${seconds}.wav`);
    ffmpeg(...sine(seconds, 8000), '-c:a', 'pcm_mulaw', `wav-mulaw-${seconds}.wav`);
    ffmpeg(...sine(seconds), '-c:a', 'flac', `flac-${seconds}.flac`);
    ffmpeg(...sine(seconds), '-c:a', 'libvorbis', '-q:a', '0', `ogg-vorbis-${seconds}.ogg`);
    ffmpeg(...sine(seconds), '-c:a', 'libopus', '-b:a', '16k', `ogg-opus-${seconds}.opus`);
    ffmpeg(...sine(seconds), '-c:a', 'aac', '-b:a', '32k', `m4a-${seconds}.m4a`);
    ffmpeg(...sine(seconds), '-c:a', 'aac', '-b:a', '32k', '-f', 'adts', `aac-${seconds}.aac`);
    ffmpeg(...sine(seconds), '-c:a', 'libopus', '-b:a', '16k', `webm-sound-${seconds}.webm`);
    ffmpeg(...sine(seconds, 8000), `aiff-${seconds}.aiff`);
    for (const [name, ...options] of [
      ['cbr', '-b:a', '32k'],
      ['cbr-no-header', '-b:a', '32k', '-write_xing', '0'],
      ['vbr', '-q:a', '9'],
      ['vbr-no-header', '-q:a', '9', '-write_xing', '0'],
      ['no-tags', '-b:a', '32k', '-id3v2_version', '0', '-write_id3v1', '1'],
    ])
      ffmpeg(
        ...sine(seconds),
        '-c:a',
        'libmp3lame',
        ...options,
        '-metadata',
        'title=a title',
        `mp3-${name}-${seconds}.mp3`,
      );
  }
  ffmpeg(...sine('1', 44100), '-ac', '2', '-c:a', 'libmp3lame', '-b:a', '64k', 'mp3-stereo.mp3');
  ffmpeg(...sine('1', 8000), '-c:a', 'libmp3lame', '-b:a', '8k', 'mp3-mpeg-2.5.mp3');
  ffmpeg(...sine('1', 22050), '-c:a', 'mp2', '-b:a', '32k', 'mp2.mp2');
  ffmpeg(
    ...sine('1'),
    '-i',
    writePng(),
    '-map',
    '0',
    '-map',
    '1',
    '-c:a',
    'libmp3lame',
    '-b:a',
    '32k',
    '-id3v2_version',
    '3',
    'mp3-cover.mp3',
  );
  ffmpeg(
    ...sine('1'),
    '-i',
    writePng(),
    '-map',
    '0',
    '-map',
    '1',
    '-c:a',
    'flac',
    '-disposition:v',
    'attached_pic',
    'flac-cover.flac',
  );
  ffmpeg(...sine('1', 8000), '-rf64', 'always', 'wav-rf64.wav');
  ffmpeg(...sine('1', 8000), '-metadata', 'title=a title', 'wav-tags.wav');
  ffmpeg(...sine('1', 8000), '-c:a', 'pcm_f32le', 'wav-float.wav');
  ffmpeg(...sine('1', 8000), '-ac', '6', '-c:a', 'pcm_u8', 'wav-six-channels.wav');
  const streamed = execFileSync('ffmpeg', ['-v', 'error', ...sine('1', 8000), '-f', 'wav', '-'], {
    maxBuffer: 1 << 24,
  });
  writeFileSync(join(corpus, 'wav-streamed.wav'), streamed);
  ffmpeg(...sine('1', 8000), '-c:a', 'flac', '-f', 'ogg', 'ogg-flac.oga');
  ffmpeg(...sine('1', 16000), '-c:a', 'libspeex', 'ogg-speex.ogg');
  ffmpeg(...sine('1'), '-c:a', 'alac', 'm4a-alac.m4a');
  ffmpeg(...sine('1'), '-c:a', 'aac', '-b:a', '32k', '-movflags', '+faststart', 'm4a-faststart.m4a');
  ffmpeg(
    ...sine('1'),
    '-c:a',
    'aac',
    '-b:a',
    '32k',
    '-movflags',
    'frag_keyframe+empty_moov',
    '-f',
    'mp4',
    'm4a-fragmented.m4a',
  );
  ffmpeg(...sine('1', 44100), '-ac', '2', '-c:a', 'aac', '-b:a', '48k', '-f', 'adts', 'aac-stereo.aac');
}

function writePng() {
  const path = inScratch('cover.png');
  convert('-size', '32x32', 'xc:red', path);
  return path;
}

const picture = (seconds, rate = 10) => [...SOUND, `testsrc=size=64x48:rate=${rate}:duration=${seconds}`];

function makeFilms() {
  for (const seconds of ['0.5', '1.5']) {
    const both = [...picture(seconds), ...sine(seconds)];
    const h264 = [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '45',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-b:a',
      '16k',
    ];
    const vp8 = ['-c:v', 'libvpx', '-b:v', '30k', '-deadline', 'realtime', '-c:a', 'libopus', '-b:a', '16k'];
    ffmpeg(...both, ...h264, `mp4-${seconds}.mp4`);
    ffmpeg(...picture(seconds), ...h264, `mp4-silent-${seconds}.mp4`);
    ffmpeg(...both, ...h264, '-movflags', '+faststart', `mp4-faststart-${seconds}.mp4`);
    ffmpeg(
      ...both,
      ...h264,
      '-g',
      '5',
      '-movflags',
      'frag_keyframe+empty_moov',
      `mp4-fragmented-${seconds}.mp4`,
    );
    ffmpeg(
      ...picture(seconds),
      ...h264,
      '-g',
      '5',
      '-movflags',
      'frag_keyframe+empty_moov+default_base_moof',
      `mp4-fragmented-silent-${seconds}.mp4`,
    );
    ffmpeg(...both, ...h264, `mov-${seconds}.mov`);
    ffmpeg(...picture(seconds), '-c:v', 'mjpeg', '-q:v', '31', `mov-mjpeg-${seconds}.mov`);
    ffmpeg(...both, ...h264, `mkv-${seconds}.mkv`);
    ffmpeg(...both, ...vp8, `webm-${seconds}.webm`);
    ffmpeg(...picture(seconds), ...vp8, `webm-silent-${seconds}.webm`);
    ffmpeg(...both, ...vp8, '-live', '1', `webm-live-${seconds}.webm`);
    ffmpeg(...picture(seconds), '-c:v', 'mpeg4', '-q:v', '31', `avi-${seconds}.avi`);
    ffmpeg(...both, '-c:v', 'mpeg4', '-q:v', '31', '-c:a', 'mp3', '-b:a', '32k', `avi-sound-${seconds}.avi`);
    ffmpeg(...both, '-c:v', 'libtheora', '-q:v', '1', '-c:a', 'libvorbis', `ogv-${seconds}.ogv`);
    ffmpeg(...both, ...h264, '-f', '3gp', `3gp-${seconds}.3gp`);
    const streamed = execFileSync('ffmpeg', ['-v', 'error', ...both, ...vp8, '-f', 'webm', '-'], {
      maxBuffer: 1 << 24,
    });
    writeFileSync(join(corpus, `webm-streamed-${seconds}.webm`), streamed);
  }
}

/**
 * Files that break off. Where the header is whole, the answer is as before; where it is not, or the length stood in
 * what is lost, the agreed answer is `damaged`; a sound is as long as what is left of it.
 */
function makeTruncated() {
  for (const name of [
    'jpeg-baseline-511x513.jpg',
    'png-rgb-511x513.png',
    'gif-511x513.gif',
    'webp-lossy-511x513.webp',
  ]) {
    cutOff(name, 'picture', 600);
    truth[`truncated-picture-${name}`] = truthOf(name);
    cutOff(name, 'header', name.endsWith('webp') ? 14 : 9);
    truth[`truncated-header-${name}`] = { unreadable: 'damaged', as: 'image', tool: 'agreed' };
  }
  for (const name of ['avif-511x513.avif', 'heic-511x513.heic']) {
    cutOff(name, 'header', 100);
    truth[`truncated-header-${name}`] = { unreadable: 'damaged', as: 'image', tool: 'agreed' };
  }
  for (const [name, as] of [
    ['mp4-1.5.mp4', 'video'],
    ['mov-1.5.mov', 'video'],
    ['m4a-1.25.m4a', 'video'],
    ['flac-1.25.flac', 'audio'],
    ['wav-pcm16-1.25.wav', 'audio'],
  ]) {
    cutOff(name, 'header', 20);
    truth[`truncated-header-${name}`] = { unreadable: 'damaged', as, tool: 'agreed' };
  }
  for (const name of ['mp3-cbr-no-header-1.25.mp3', 'wav-pcm16-1.25.wav', 'aac-1.25.aac'])
    cutOff(name, 'sound', Math.floor(readFileSync(join(corpus, name)).length * 0.7));
  for (const name of ['pdf-plain-10.pdf', 'pdf-gs-1.4-10.pdf'])
    cutOff(name, 'pages', Math.floor(readFileSync(join(corpus, name)).length * 0.6));
  cutOff('ogg-vorbis-1.25.ogg', 'header', 1000);
  truth['truncated-header-ogg-vorbis-1.25.ogg'] = { unreadable: 'damaged', as: 'audio', tool: 'agreed' };
  cutOff('pdf-gs-1.7-10.pdf', 'header', 40);
  truth['truncated-header-pdf-gs-1.7-10.pdf'] = { unreadable: 'damaged', as: 'pdf', tool: 'agreed' };
}

function cutOff(name, what, byteLength) {
  const copy = `truncated-${what}-${name}`;
  writeFileSync(join(corpus, copy), readFileSync(join(corpus, name)));
  truncateSync(join(corpus, copy), byteLength);
}

function truthOf(name) {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  // libheif shows no sequences.
  if (['jpg', 'png', 'gif', 'webp'].includes(extension) || name === 'avif-animated.avif')
    return sizeByExiftool(name);
  if (['heic', 'avif'].includes(extension)) return sizeByDecoding(name);
  if (extension === 'pdf') return pagesByQpdf(name);
  return lengthByFfprobe(name);
}

function sizeByExiftool(name) {
  const [[found]] = [
    JSON.parse(run('exiftool', '-json', '-n', '-ImageWidth', '-ImageHeight', '-Orientation', name)),
  ];
  const { ImageWidth: width, ImageHeight: height, Orientation: orientation = 1 } = found;
  const sides = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { kind: 'image', ...sides, tool: 'exiftool' };
}

/** As a viewer shows it: transformations are part of the picture. */
function sizeByDecoding(name) {
  const path = inScratchAgain('decoded.png');
  run('heif-convert', '-q', '90', name, path);
  const shown = readdirSync(join(path, '..')).find((file) => file.startsWith('decoded'));
  const [width, height] = run('identify', '-format', '%w %h', join(path, '..', shown))
    .split(' ')
    .map(Number);
  rmSync(join(path, '..'), { recursive: true });
  return { kind: 'image', width, height, tool: 'heif-convert' };
}

function inScratchAgain(name) {
  return join(mkdtempSync(join(tmpdir(), 'media-truth-')), name);
}

function pagesByQpdf(name) {
  try {
    return { kind: 'pdf', pages: Number(run('qpdf', '--show-npages', name)), tool: 'qpdf' };
  } catch (error) {
    // 3: it warns, and has repaired the file.
    if (error.status === 3) return { kind: 'pdf', pages: Number(error.stdout), tool: 'qpdf' };
    if (/invalid password/.test(error.stderr)) return { unreadable: 'encrypted', as: 'pdf', tool: 'qpdf' };
    return pagesByGhostscript(name);
  }
}

/** It looks for objects where qpdf gives up. */
function pagesByGhostscript(name) {
  const count = `(${name}) (r) file runpdfbegin (pages:) print pdfpagecount = quit`;
  const pages = Number(
    /pages:(\d+)/.exec(run('gs', '-q', '-dNODISPLAY', '-dNOSAFER', '-c', count))?.[1] ?? 0,
  );
  if (pages === 0) return { unreadable: 'damaged', as: 'pdf', tool: 'ghostscript' };
  return { kind: 'pdf', pages, tool: 'ghostscript' };
}

function lengthByFfprobe(name) {
  const { format, streams } = JSON.parse(
    run('ffprobe', '-v', 'error', '-show_format', '-show_streams', '-of', 'json', name),
  );
  const isFilm = streams.some(
    ({ codec_type, disposition }) => codec_type === 'video' && !disposition?.attached_pic,
  );
  const hasAudio = streams.some(({ codec_type }) => codec_type === 'audio');
  const seconds = Number(format.duration ?? lastPacketSeconds(name));
  return isFilm
    ? { kind: 'video', seconds, hasAudio, tool: 'ffprobe' }
    : { kind: 'audio', seconds, tool: 'ffprobe' };
}

/** Where no header tells a length. */
function lastPacketSeconds(name) {
  const { packets } = JSON.parse(run('ffprobe', '-v', 'error', '-show_packets', '-of', 'json', name));
  return Math.max(
    ...packets.map(({ pts_time, duration_time = 0 }) => Number(pts_time) + Number(duration_time)),
  );
}

try {
  main();
} catch (error) {
  if (error.code === 'ENOENT') console.error(`not installed: ${error.path}; apt-get install ${PACKAGES}`);
  else console.error(error.stderr?.toString() || error);
  process.exitCode = 1;
}

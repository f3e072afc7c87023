// Short sounds, made by the browser: a move, a win, a loss.

let context = null; // made with the first sound, which follows a click

function tone(pitch, at, seconds, loud, shape = "triangle") {
  const [source, volume] = [context.createOscillator(), context.createGain()];
  const begin = context.currentTime + at;
  source.type = shape;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + seconds);
}

const TUNES = {
  move: [[220, 0, 0.09, 0.25]],
  win: [[523, 0, 0.2, 0.2], [659, 0.12, 0.2, 0.2], [784, 0.24, 0.45, 0.2]],
  loss: [[294, 0, 0.25, 0.15], [220, 0.18, 0.4, 0.15]],
  draw: [[330, 0, 0.2, 0.15], [330, 0.18, 0.3, 0.15]],
};

/** Plays one of the tunes: "move", "win", "loss" or "draw". */
export function sound(name) {
  context ??= new AudioContext();
  for (const part of TUNES[name]) tone(...part);
}

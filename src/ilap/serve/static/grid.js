// A grid of which only what is on the screen is made: ten thousand tiles cost as much as a hundred.

export class Grid {
  // `make(row)` gives an element, which is kept for as long as it is near the screen; `side` is a tile's width and
  // height in pixels, as large as fits the columns.
  constructor(element, make, { width, height }) {
    this.element = element;
    this.make = make;
    this.size = { width, height };
    this.rows = [];
    this.made = new Map();
    this.draw = this.draw.bind(this);
    this.watcher = new ResizeObserver(this.draw);
    this.watcher.observe(element);
    addEventListener("scroll", this.draw, { passive: true });
  }

  close() {
    this.watcher.disconnect();
    removeEventListener("scroll", this.draw);
  }

  get columns() {
    return Math.max(1, Math.floor(this.element.clientWidth / this.size.width));
  }

  // Show these rows; elements of rows that stay are made anew, since what they say may have changed.
  set(rows) {
    this.rows = rows;
    this.made.clear();
    this.element.replaceChildren();
    this.draw();
  }

  draw() {
    if (!this.element.isConnected) return;
    const { columns } = this;
    const wide = this.element.clientWidth / columns;
    const { height } = this.size;
    this.element.style.height = `${Math.ceil(this.rows.length / columns) * height}px`;
    const top = this.element.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(-top / height) - 2) * columns;
    const last = Math.min(this.rows.length, (Math.ceil((innerHeight - top) / height) + 2) * columns);
    const wanted = new Set();
    for (let place = first; place < last; place += 1) {
      wanted.add(place);
      let tile = this.made.get(place);
      if (!tile) {
        tile = this.make(this.rows[place], place);
        this.made.set(place, tile);
        this.element.append(tile);
      }
      tile.style.transform = `translate(${(place % columns) * wide}px, ${Math.floor(place / columns) * height}px)`;
      tile.style.width = `${wide}px`;
      tile.style.height = `${height}px`;
    }
    for (const [place, tile] of this.made) {
      if (wanted.has(place) || tile.contains(document.activeElement)) continue;
      tile.remove();
      this.made.delete(place);
    }
  }

  // Bring a tile onto the screen, and give it.
  reveal(place) {
    const row = Math.floor(place / this.columns);
    const top = this.element.getBoundingClientRect().top + row * this.size.height;
    const [above, below] = [document.querySelector("header").offsetHeight, innerHeight - document.querySelector("footer").offsetHeight];
    if (top < above) scrollBy(0, top - above);
    else if (top + this.size.height > below) scrollBy(0, top + this.size.height - below);
    this.draw();
    return this.made.get(place);
  }
}

(** * The checker: a program that tries everything the opponent can do

    It works on bitboards, plays the moves and plans of a solution, and says true or false. Sound.v
    proves that its "true" is to be believed, about any data. Where it says "false" nothing is
    proved, so there is nothing to show about that: [None] stands for it below.

    [if] is used in place of [&&] and [||], which would work out both sides. *)
From Coq Require Import Uint63 ZArith List.
From ConnectFour Require Import Game.
Import ListNotations.
Open Scope uint63_scope.

(** ** Bitboards

    Square (c, r) is bit 7 * c + r - 8 of a 63-bit integer, on every board: columns of seven bits,
    of which the highest stays empty. [put] adds the disc on bit [b]. *)
Definition put (p b : int) : int := p lor (1 << b).
Definition zero (x : int) : bool := x =? 0.

Definition range (n : Z) : list Z := map Z.of_nat (seq 1 (Z.to_nat n)).
Definition squares (width height : Z) : list square := list_prod (range width) (range height).
Definition place (s : square) : Z := let (c, r) := s in (7 * c + r - 8)%Z.
Definition board (width height : Z) : int :=
  fold_right (fun s p => put p (of_Z (place s))) 0 (squares width height).

(** The empty squares beside three of [p] in one line: with up and down the neighbours at distance
    [d], those with two below and one above or a third below, or the other way round. *)
Definition completing_by (d p : int) : int :=
  let up := p << d in let down := p >> d in
  (up land (up << d) land (down lor (up << (d + d)))) lor
  (down land (down >> d) land (up lor (down >> (d + d)))).
Definition completing (p : int) : int :=
  completing_by 1 p lor (completing_by 6 p lor (completing_by 7 p lor completing_by 8 p)).

(** ** Positions known to be won

    A tree, by the bits of a hash. Where it is full, an entry takes another one's place. *)
Inductive table := Empty | Entry (hash p q : int) | Fork (even odd : table).

Definition hash (p q : int) : int := ((p * 0x1781a5effd738485 + q) * 0x279e7d5fdcec4685) >> 37.

Fixpoint find (h p q : int) (t : table) : bool :=
  match t with
  | Empty => false
  | Entry _ p' q' => if p =? p' then q =? q' else false
  | Fork a b => find (h >> 1) p q (if zero (h land 1) then a else b)
  end.

Definition branches (t : table) : table * table :=
  match t with
  | Empty => (Empty, Empty)
  | Entry h p q => let below := Entry (h >> 1) p q in
                   if zero (h land 1) then (below, Empty) else (Empty, below)
  | Fork a b => (a, b)
  end.

Fixpoint add (depth : nat) (h p q : int) (t : table) : table :=
  match depth, t with
  | O, _ | _, Empty => Entry h p q
  | S depth, _ =>
    let (a, b) := branches t in
    if zero (h land 1) then Fork (add depth (h >> 1) p q a) b
    else Fork a (add depth (h >> 1) p q b)
  end.

Definition known (t : table) (p q : int) : bool := find (hash p q) p q t.
Definition learn (p q : int) (t : table) : table := add 26 (hash p q) p q t.

(** ** The game

    [p] has the discs of the player who is to reach the goal, [q] those of the other one. *)
Section Board.
Variable all : int. (* the squares of the board *)
Variable goal : aim.

Definition playables (p q : int) : int :=
  let occupied := p lor q in (0x40810204081 lor (occupied << 1)) land (all lxor occupied).

(** Whether [f] holds of one of the bits of [x], from the lowest one on; there are at most so many
    as [fuel] says, since Rocq's programs have to end. *)
Fixpoint any (fuel : nat) (f : int -> bool) (x : int) : bool :=
  match fuel with
  | O => false
  | S fuel =>
    if zero x then false else
    let b := tail0 x in
    if f b then true else any fuel f (x lxor (1 << b))
  end.

(** Whether a line can be completed at once, or after up to [n] threats each of which has to be
    blocked. *)
Fixpoint wins (n : nat) (p q : int) : bool :=
  let mine := playables p q in
  if zero (completing p land mine) then
    match n with
    | O => false
    | S n =>
      let his := completing q in
      let blocks := his land mine in
      any 7 (fun b =>
        let p' := put p b in
        let replies := playables p' q in
        if zero (his land replies) then
          let forced := completing p' land replies in
          if zero forced then false else wins n p' (put q (tail0 forced))
        else false) (if zero blocks then mine else blocks)
    end
  else true.

(** What [f] makes of all replies, the bits of [x], one after the other. *)
Fixpoint each (fuel : nat) (f : int -> table -> option table) (x : int) (t : table)
    : option table :=
  if zero x then Some t else
  match fuel with
  | O => None
  | S fuel =>
    let b := tail0 x in
    match f b t with
    | None => None
    | Some t => each fuel f (x lxor (1 << b)) t
    end
  end.

(** No line is left to the other player: of each, one square is mine. *)
Definition held (p q : int) : bool :=
  let left := (all lxor p) lor q in zero (completing left land left).

(** A move on bit [b]: it can be played, no reply completes a line, and [f] deals with each. *)
Definition after (f : int -> int -> table -> option table) (p q b : int) (t : table)
    : option table :=
  if zero (playables p q land (1 << b)) then None else
  let p' := put p b in
  let replies := playables p' q in
  if match goal with win => false | hold => held p' q end then Some t else
  if match goal with win => zero replies | hold => false end then None else
  if zero (completing q land replies) then each 7 (fun b t => f p' (put q b) t) replies t
  else None.

(** ** Plans

    A plan is a list of sets of squares, those with the lowest number first: what is playable in the
    first such set is played. A line or a win by [n] threats comes first, then a block. *)
Fixpoint first_of (plan : list int) (x : int) : int :=
  match plan with
  | nil => 0
  | group :: plan => let here := group land x in if zero here then first_of plan x else here
  end.

Fixpoint follow (fuel : nat) (plan : list int) (n : nat) (p q : int) (t : table) : option table :=
  match fuel with
  | O => None
  | S fuel =>
    if known t p q then Some t else
    if wins n p q then Some t else
    let mine := playables p q in
    let blocks := completing q land mine in
    let choice := first_of plan (if zero blocks then mine else blocks) in
    match after (follow fuel plan n) p q (tail0 choice) t with
    | None => None
    | Some t => Some (learn p q t)
    end
  end.

(** ** The solution: moves down to plans

    Positions stand for their mirror images. *)
Variable width : Z.

Definition mirror (x : int) : int :=
  fold_right (fun c m => m lor (((x >> of_Z (7 * c - 7)) land 0x7f) << of_Z (7 * (width - c))))
    0 (range width).

Definition answered (n : nat) (p q : int) (t : table) : option table :=
  if known t p q then Some t else
  if known t (mirror p) (mirror q) then Some t else
  if wins n p q then Some t else None.

Inductive leaf := Leaf (p q : int) (threats : nat).
Inductive move := Move (p q b : int).
Record solution := { threats : nat; plans : list (list int * list leaf); moves : list move }.

(** The leaves of a plan. What it meets on the way is remembered until all of them are done, the
    leaves themselves are for the tree. *)
Fixpoint leaves (plan : list int) (ls : list leaf) (met tree : table) : option table :=
  match ls with
  | nil => Some tree
  | Leaf p q n :: ls =>
    match follow 22 plan n p q met with
    | None => None
    | Some met => leaves plan ls met (learn p q tree)
    end
  end.

Fixpoint planned (ps : list (list int * list leaf)) (tree : table) : option table :=
  match ps with
  | nil => Some tree
  | (plan, ls) :: ps =>
    match leaves plan ls Empty tree with None => None | Some tree => planned ps tree end
  end.

(** The moves, with those after which the board is fullest first. *)
Fixpoint moved (n : nat) (ms : list move) (tree : table) : option table :=
  match ms with
  | nil => Some tree
  | Move p q b :: ms =>
    match after (answered n) p q b tree with
    | None => None
    | Some tree => moved n ms (learn p q tree)
    end
  end.

Definition grown (s : solution) : option table :=
  match planned (plans s) Empty with
  | None => None
  | Some tree => moved (threats s) (moves s) tree
  end.
End Board.

(** Whether a solution shows that the first or the second player can reach a goal. *)
Definition first_player_checked (width height : Z) (goal : aim) (s : solution) : bool :=
  if (if width <=? 7 then height <=? 6 else false)%Z then
    match grown (board width height) goal width s with
    | None => false
    | Some tree => known tree 0 0
    end
  else false.

Definition second_player_checked (width height : Z) (goal : aim) (s : solution) : bool :=
  if (if width <=? 7 then height <=? 6 else false)%Z then
    let all := board width height in
    match grown all goal width s with
    | None => false
    | Some tree =>
      let reply b := answered all width (threats s) 0 (put 0 b) in
      match each 7 reply (playables all 0 0) tree with None => false | Some _ => true end
    end
  else false.

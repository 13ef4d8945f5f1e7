// Egaroucid for Web (Takuto Yamana) as a program that speaks UGI (kz04px, ugi.md).
//
// The engine of Egaroucid's web page is C++ that is compiled for browsers. Here it is included as it is, with its
// weights, its openings and its levels from 0 to 15, which say how far it looks in the middle of a game, and how many
// empty cells are searched to the end. A level takes its own time: what `go` says of time and depth is not heeded.
// Turns and positions are written as Papan writes them: `f5`, `pass`, 64 cells from a1 to h8 and the side to move.
//
// One thread: while it thinks, nothing is read. Its random numbers, which choose among openings, are those of one seed.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

// Its sources compare two types that are one type where they are compiled for browsers.
inline std::uint64_t max(unsigned long long one, std::uint64_t other) { return std::max<std::uint64_t>(one, other); }

#include "Egaroucid_for_Web.cpp"

namespace {

const int USUAL_LEVEL = 10;
const int MOST_LEVEL = 15;        // the page offers no more
const int CENTIPAWNS_A_DISC = 10; // for Papan, 100 of them are ten discs

Board board;
int level = USUAL_LEVEL;
bool uses_book = true;

void begin_match() {
    parent_transpose_table.init();
    child_transpose_table.init();
}

// The number of a cell, "a1" as 63 and "h8" as 0, or -1 where it is none.
int cell_of(const std::string &text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return -1;
    return HW2_M1 - (text[1] - '1') * HW - (text[0] - 'a');
}

// Begin at a position in Papan's words; says whether it makes sense.
bool set_up(const std::string &cells, const std::string &side) {
    if (cells.size() != HW2 || cells.find_first_not_of("XO-") != std::string::npos || (side != "X" && side != "O"))
        return false;
    board.player = board.opponent = 0;
    for (int number = 0; number < HW2; number++) {
        const uint64_t disc = 1ULL << (HW2_M1 - number);
        if (cells[number] == side[0])
            board.player |= disc;
        else if (cells[number] != '-')
            board.opponent |= disc;
    }
    return true;
}

// Make a turn; says whether it can be made.
bool make(const std::string &turn) {
    const uint64_t legal = board.get_legal();
    if (turn == "pass" && legal == 0) {
        board.pass();
        return true;
    }
    const int cell = cell_of(turn);
    if (cell < 0 || !(legal >> cell & 1))
        return false;
    Flip flip;
    calc_flip(&flip, &board, static_cast<uint_fast8_t>(cell));
    board.move_board(&flip);
    return true;
}

// `position startpos|fen TEXT [moves TURN ...]`
void take_position(std::istringstream &words) {
    std::string word, cells, side;
    words >> word;
    if (word == "startpos") {
        board.reset();
    } else if (words >> cells >> side; !set_up(cells, side)) {
        std::cout << "info string no position: " << cells << " " << side << std::endl;
        return;
    }
    words >> word; // "moves"
    while (words >> word)
        if (!make(word)) {
            std::cout << "info string no turn: " << word << std::endl;
            return;
        }
}

void go() {
    if (board.get_legal() == 0) { // its search would find a turn of the other side
        std::cout << "bestmove " << (board.is_end() ? "(none)" : "pass") << std::endl;
        return;
    }
    const Search_result found = ai(board, level, uses_book, false, false);
    const std::string turn = idx_to_coord(found.policy);
    std::cout << "info";
    if (found.depth > 0) // not from the openings, and not by chance
        std::cout << " depth " << found.depth << " nodes " << found.nodes << " time " << found.time;
    std::cout << " score cp " << CENTIPAWNS_A_DISC * found.value << " pv " << turn << "\nbestmove " << turn
              << std::endl;
}

// `setoption name Level value NUMBER` or `setoption name Book value true|false`; others are none of ours
void set_option(std::istringstream &words) {
    std::string word, name, value;
    words >> word >> name >> word >> value;
    if (name == "Level")
        level = std::max(0, std::min(std::atoi(value.c_str()), MOST_LEVEL));
    else if (name == "Book")
        uses_book = value == "true";
}

} // namespace

int main() {
    raw_myrandom.seed(1);
    int percentage;
    init(&percentage);
    board.reset();
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "ugi")
            std::cout << "id name Egaroucid for Web\nid author Takuto Yamana\noption name Level type spin default "
                      << USUAL_LEVEL << " min 0 max " << MOST_LEVEL
                      << "\noption name Book type check default true\nugiok" << std::endl;
        else if (command == "isready")
            std::cout << "readyok" << std::endl;
        else if (command == "setoption")
            set_option(words);
        else if (command == "uginewgame")
            begin_match();
        else if (command == "position")
            take_position(words);
        else if (command == "go")
            go();
        else if (command == "quit")
            break;
    }
    return EXIT_SUCCESS;
}
